"""Problems that can be evolved, a package or a module for each."""

"""Tables at which people play: views, events as JSON, commentary."""

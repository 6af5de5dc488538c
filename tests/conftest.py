"""What holds for all tests."""

from hypothesis import settings

# No test is timed: the first example may wait for the compiler or for another process.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

"""What all tests need."""

import signal

# Whoever starts the tests in the background of a script has them ignore it, and all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

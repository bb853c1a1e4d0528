"""The plain C++ program that the core is timed beside."""

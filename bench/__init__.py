"""Benchmarks of the core, beside the pure-Python rules and plain C++."""

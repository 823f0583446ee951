"""Speed, measured and compared with a named reference in the same run. Not tests: `make bench`."""

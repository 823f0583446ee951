"""Every form that the tables have had, and the way from each to the next."""

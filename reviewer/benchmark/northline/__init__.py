"""The sample desk: its orders, tools and cases, and scripted conversations whose figures are the published ones."""

"""The benchmark run on live models, by way of Inspect, and judges asked about what is stored.

The only room that loads Inspect (the extra `reviewer[run]`). Nothing but the command line loads it, when asked.
"""

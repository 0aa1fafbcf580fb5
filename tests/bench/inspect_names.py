"""Who is asked in the bench of live runs, as Inspect names them, and how often an agent may call before it answers.

`reviewer.benchmark.live.dialogue` says the latter, too, and is loaded only where Inspect is.
"""

MODEL, CUSTOMER = "openai-api/scripted/kimi-k2.6", "openai-api/scripted/customer"
ROUNDS = 12

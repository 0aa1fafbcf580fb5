"""All that writes under `annotations/`: journals, their ledger, the codebook file."""

"""What keys do on the reading screen, one idea a module; each offers `verbs()`, from action ids to functions."""

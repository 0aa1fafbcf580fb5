"""The filter language: one line of text to a value that says which conversations are meant.

`parse` reads a query; `Query` holds its terms; `Selection` is the part that the store answers, as SQL fragments over
whitelisted columns with every value a parameter. Terms about reviews (`tag:`, `verdict:` ...) are read here and
answered where the journals are. Nothing in this package opens a store, a journal or a screen.
"""

from reviewer.query.parser import parse
from reviewer.query.terms import EVERYTHING, Query, Scope, Selection, Term, TextTerm, Value

__all__ = ["EVERYTHING", "Query", "Scope", "Selection", "Term", "TextTerm", "Value", "parse"]

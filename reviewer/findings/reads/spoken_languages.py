"""Which language a text is written in, as far as its small words and its script tell; None where they do not. Pure.

Owns the small words of the languages of the sample, and of a few more the script. A text is judged by its first part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_LONGEST = 400
"""Characters of a text that are looked at."""
_LEAST = 4
"""Small words from which on a language can be told."""
_SHARE = 0.08
"""Of all words, those that must be small words of a language."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "English": "the is are was you your and to of it this that have has with for not can will please from be"
        " been i i'll i've we it's any as there would what how my me an or if",
        "Spanish": "el los las está están y usted su sus tu pedido por para con que una es no lo le ya gracias hola mi"
        " me pero muy cuando donde qué cómo ha he sido hay todavía desde aquí del al",
        "French": "le les est vous votre et pour avec que une ne pas je nous sur dans du des bonjour merci mais très"
        " quand où ce cette il elle au aux ma mon commande c'est j'ai n'est qu'elle d'ici",
        "German": "der die das ist sind sie ihr ihre und für mit nicht ich wir auf ein eine den dem zu von es"
        " noch bitte danke aber wann wo wie im am bei hat habe wird kann mein meine",
        "Italian": "il gli è sono lei suo e per con non che una io noi su nel della del di ho ha ciao grazie ma"
        " quando dove come mio mia ordine l'ordine ancora questo dal da ti puoi",
        "Portuguese": "o os as está você seu sua e para com não que uma eu nós no na da do em obrigado obrigada olá mas"
        " quando onde como meu minha pedido ainda isso foi ao pelo pela já",
    }.items()
}
_SCRIPTS: Mapping[str, re.Pattern[str]] = {
    "Japanese": re.compile(r"[\u3040-\u30ff]"),
    "Korean": re.compile(r"[\uac00-\ud7af]"),
    "Chinese": re.compile(r"[\u4e00-\u9fff]"),
    "Russian": re.compile(r"[\u0400-\u04ff]"),
    "Arabic": re.compile(r"[\u0600-\u06ff]"),
    "Greek": re.compile(r"[\u0370-\u03ff]"),
    "Hebrew": re.compile(r"[\u0590-\u05ff]"),
    "Thai": re.compile(r"[\u0e00-\u0e7f]"),
    "Hindi": re.compile(r"[\u0900-\u097f]"),
}
_LATIN = re.compile(r"[a-zà-ÿ]", re.IGNORECASE)


_AT_A_GLANCE = (
    " the ",
    " you",
    " your ",
    " is ",
    " and ",
    " for ",
    " to ",
    " i'",
    " can ",
    " have ",
    " this ",
    " with ",
)
_SPOKEN_IN = {
    word: tuple(name for name, own in _WORDS.items() if word in own) for own in _WORDS.values() for word in own
}
"""The languages that each small word belongs to."""


def language_of(text: str) -> str | None:
    """The language of a text; None where too little tells, or two languages are as likely."""
    text = text[:_LONGEST]
    if not text.isascii() and (written := _by_script(text)) is not None:
        return written
    words = _WORD.findall(text)
    scores = dict.fromkeys(_WORDS, 0)
    for word in words:
        for name in _SPOKEN_IN.get(word.lower().replace("’", "'"), ()):
            if len(word) == 1 or not word.isupper():  # DEN is an airport
                scores[name] += 1
    first = max(scores, key=lambda name: scores[name])
    most = scores.pop(first)
    told = most >= max(_LEAST, _SHARE * len(words)) and most >= 2 * max(scores.values())
    return first if told else None


def surely_english(text: str) -> bool:
    """True if a text is English at a glance: it saves counting its words."""
    start = text[:_LONGEST].lower()
    return text.isascii() and sum(word in start for word in _AT_A_GLANCE) >= _LEAST


def _by_script(text: str) -> str | None:
    letters = len(_LATIN.findall(text))
    for language, script in _SCRIPTS.items():
        own = len(script.findall(text))
        if own >= _LEAST and 2 * own >= letters:
            return language
    return None

"""Streets with the number of a house, as they are written in six languages, with a flat, a code and a town. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.transcripts.particulars.name_words import CAPITAL

_ENGLISH = (
    "Street|St|Avenue|Ave|Road|Rd|Close|Lane|Ln|Drive|Dr|Court|Ct|Way|Boulevard|Blvd|Place|Pl|Square|Sq|Crescent|Cres"
    "|Terrace|Row|Grove|Gardens|Plaza|Meadows?|Heights|Parade|Wharf|Rise|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Trail|Trl|Mews|Alley|Quay|Hill|Walk|Loop"
)
_SMALL = "street|avenue|ave|road|boulevard|blvd|lane|terrace|crescent|drive|parkway|court"
_NO_STREET = (
    "a|an|and|the|this|that|my|your|our|of|in|on|at|to|by|for|from|per|day|days|hour|hours|week|weeks|month|months|year"
    "|years|minute|minutes|mile|miles|item|items|times|piece|pieces|way|pack|inch|foot|lane|watt|gb|tb|usb"
)
_GERMAN = "straße|strasse|str\\.|weg|gasse|platz|allee|ring|damm|ufer|chaussee|steig|stieg|pfad|markt|graben|wall"
_DUTCH = "straat|laan|weg|gracht|plein|kade|dijk|singel|dreef|steeg|pad|plantsoen|baan|wal|boulevard"
_OF = (
    "de la |de las |de los |de l['’]|d['’]|des |del |della |delle |dello |dell['’]|degli |dei |du |de |di |da "
    "|la |el |le "
)
_NUMBER = r"\d{1,4}(?! ?(?:%|€|euro|days?|times|weeks?|hours?|x )|[\d.,]\d)"
_HOUSE = rf"{_NUMBER}(?: ?[a-z](?!\w)|/?[A-Z](?!\w)|[/-]\d{{1,3}}(?!\w))?"
_ROOMS = "[Pp]iso|[Pp]iano|[Aa]ppartamento|[Aa]partamento|[Ii]nterno|[Pp]uerta|[Ss]cala|[Aa]ppt|[Ww]ohnung"
_FLAT = (
    r"(?:,? (?:[Aa]pt|[Aa]partment|[Ss]uite|[Uu]nit|[Ff]lat|[Bb]us)\.? ?#?[\w-]{1,6}"
    rf"|,? (?:{_ROOMS})\.? \w{{1,4}}|, ?\d{{1,2}} ?[ºª°][ ,]{{0,2}}(?:[A-Z]|izq|dcha)?(?!\w))?"
)
_TOWN = rf"(?:, (?:[A-Z]{{1,2}}-)?\d{{4,5}}(?: [A-Z]{{2}}(?!\w))? {CAPITAL}(?: {CAPITAL}){{0,2}})?"
_DAYS = (
    "Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Januar|Februar|März|April|Mai|Juni|Juli|August"
    "|September|Oktober|November|Dezember|Ende|Anfang|Jahr|Wert|Preis|Fall|Abend|Morgen|Wochenende"
)
_STREETS = re.compile(
    rf"(?<!\w)(?:(?P<english>\d{{1,5}}[A-Za-z]?(?: [NSEW]{{1,2}})?(?: (?:{CAPITAL}|\d{{1,3}}(?:st|nd|rd|th))){{1,3}}"
    rf" (?:{_ENGLISH})(?!\w)\.?)"
    rf"|(?P<small>\d{{1,5}}[a-z]? (?!(?:{_NO_STREET})\s)[a-z]{{3,20}}(?: (?!(?:{_NO_STREET})\s)[a-z]{{3,20}})?"
    rf" (?:{_SMALL})(?!\w))"
    rf"|(?P<flat>(?:Flat|Studio|Apartment|Apt\.?|Unit) \d{{1,4}}[A-Za-z]?, {CAPITAL} {CAPITAL}(?!\w))"
    r"|(?P<box>(?:P\.? ?O\.? ?[Bb]ox|Postfach|[Bb]oîte postale|Apartado(?: de correos)?|Casella postale|Postbus)"
    r" ?#?\d{1,7}(?!\w))"
    rf"|(?P<german>(?:{CAPITAL}[ -]){{0,2}}(?i:[a-zäöüß-]{{2,30}}(?:{_GERMAN}))\s{{0,2}}{_HOUSE})"
    rf"|(?P<spaced>{CAPITAL}(?:[ -]{CAPITAL})?[ -](?:Straße|Strasse|Str\.|Weg|Gasse|Platz|Allee|Ring|Damm|Ufer)"
    rf" {_HOUSE})"
    rf"|(?P<at>(?:Am|An de[rn]|Auf de[rm]|Im|In de[rn]|Unter den|Zum|Zur|Hinter der|Vor dem) (?!{_DAYS})"
    rf"{CAPITAL}(?: (?!{_DAYS}){CAPITAL})? {_HOUSE}(?! ?(?:Uhr|Stück|Tage|Artikel|Pakete|Personen)|\. ?[A-Z]))"
    r"|(?P<french>\d{1,4}(?: ?(?:bis|ter|quater))?,? (?:(?i:rue|avenue|av\.|boulevard|bd|impasse|chemin|allée|quai"
    rf"|faubourg) (?:{_OF})?[^\W\d_][\w'’-]{{1,30}}|(?i:place|cours|route|square|passage|voie|sentier) (?:{_OF})?"
    rf"{CAPITAL})(?: (?:{_OF})?{CAPITAL}){{0,3}})"
    r"|(?P<spanish>(?:(?i:calle|avda\.?|avenida|plaza|pza\.|paseo|carretera|camino|ronda|travesía|glorieta|rambla"
    rf"|pasaje|cuesta) |(?i:c/) ?)(?:{_OF})?[^\W\d_][\w'’-]{{1,30}}(?: (?:{_OF})?{CAPITAL}){{0,3}},? (?:n\.?[ºo°] ?)?"
    rf"{_HOUSE}(?: ?\d?[ºª°][A-Z]?)?)"
    r"|(?P<italian>(?:[Vv]ia|(?i:viale|corso|piazza|piazzale|largo|vicolo|strada|contrada|lungotevere|borgo|rotonda|incrocio))"
    rf" (?:{_OF})?(?![A-Z]{{2,}}\s){CAPITAL}(?: (?:{_OF})?(?:{CAPITAL}|[IVX]{{1,4}})){{0,3}},? {_HOUSE})"
    rf"|(?P<dutch>(?:{CAPITAL} )?(?i:[a-zé-]{{2,30}}(?:{_DUTCH})) {_HOUSE})"
    rf"|(?P<lane>(?:Laan|Plein|Weg|Straat|Kade) van (?:de |den |het )?{CAPITAL}(?: {CAPITAL}){{0,2}} {_HOUSE}))"
    rf"{_FLAT}{_TOWN}"
)


def streets(text: str) -> Iterator[tuple[int, int]]:
    """Where a street stands with the number of a house, in order and apart."""
    return (match.span() for match in _STREETS.finditer(text))

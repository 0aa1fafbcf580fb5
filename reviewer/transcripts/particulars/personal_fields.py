"""Which fields of JSON hold personal data, by their names in six languages and by the fields around them. Pure.

A field such as `name` may name a product. It counts as a person's only inside an object such as `customer` or
`passengers`, or beside a surname, a mail address or a day of birth.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from reviewer.basics import jsonspans
from reviewer.transcripts.particulars.name_words import CAPITALS

Kind = Literal["name", "surname", "mail", "phone", "address", "city", "zip", "birth", "account", "number"]
"""An `account` is a number of a person's own (a user's, a card's); a `number` is of an order, a booking, a parcel."""
Field = tuple[tuple[str, ...], str]
"""The names that lead to a field, and its value."""
_DEEPEST = 12
"""How often JSON stands in a text within JSON."""
_LONGEST = 300
"""No longer name of a field is looked at."""
_OF_PERSON = re.compile(
    r"customer|user(?!_agent)|recipient|passenger|guest|contact|address|billing|shipping_to|client|kund|cliente|klant"
    r"|profil|perfil|person|account_holder|holder|payer|payee|traveller|traveler|member|owner|patient|tenant|sender"
    r"|subscriber|buyer|empfanger|destinat|besteller|ontvanger|beneficiar|titular|intestatario"
)
_PEOPLE = re.compile(
    r"(?:\w{1,60}_)?(?:passengers?|guests?|travell?ers?|recipients?|contacts?|customers?|members?|spouse|partner|owner|holder"
    r"|cardholder|account_holder|sender|author|assignee|attendees?|patient|tenant|driver|cliente?s?|klant(?:en)?|kunden?"
    r"|empfanger|ontvanger|destinatari[oa]|destinataire|titular|titulaire|inhaber|kontoinhaber|karteninhaber)"
)
_BY_NAME: dict[Kind, str] = {
    "surname": r"""
        (?:last|sur|family)_?names? nachname familienname nom_de_famille apellidos? cognome achternaam
    """,
    "name": r"""
        (?:first|full|given|middle|maiden|legal|display|customer|client|user|recipient|passenger|guest|contact|member|holder|cardholder|account_holder|billing|shipping|sender|owner|driver|patient)_?names?
        name_?on_?card (?:voll(?:er_)?|kunden|vor|ruf|benutzer)_?name (?:pre|sur)nom prenoms?
        nom_(?:complet|client|du_client|du_titulaire|utilisateur|prenom)
        nombre_(?:completo|cliente|y_apellidos|del_cliente|de_pila|usuario)
        nome_(?:completo|cliente|del_cliente|utente|cognome) (?:klant|voor|volledige_|gebruikers)_?naam customer
        recipient cliente? klant kunde kundin
    """,
    "mail": r"""
        e?_?mails?(?:_?(?:address(?:es)?|adresse|id))? (?:customer|user|contact|billing|work|home)_?e?_?mail
        courriel adresse_(?:e_?)?mail correos?(?:_electronicos?)? posta_elettronica indirizzo_e?_?mail e_mailadres
        mailadresse emailadresse e_mailadresse
    """,
    "phone": r"""
        (?:tele|cell|mobile|home|work|contact|customer)?_?phones?(?:_?(?:numbers?|nos?|nr))?
        tels?(?:_?(?:no|nr|number))? mobiles?(?:_?(?:numbers?|no))? cell(?:_?number)? fax(?:_?number)?
        whatsapp(?:_?number)? msisdn telefon(?:nummern?|e)? handy(?:nummer)? mobil(?:nummer|telefon)?
        mobilfunk(?:nummer)? rufnummer telephones? portables? numero_de_telephone tel_portable telefonos?
        movil(?:es)? celular(?:es)? numero_de_telefono telefono_movil telefoni cellular[ei] numero_di_telefono
        telefoon(?:nummers?)? mobiel(?:e_?nummer)? gsm
    """,
    "birth": r"""
        dob (?:date_?of_?)?birth(?:_?(?:date|day))? geburts(?:datum|tag) date_(?:de_)?naissance nacimiento
        fecha_(?:de_)?nacimiento data_(?:di_)?nascita geboorte(?:datum|dag)
    """,
    "zip": r"""
        zip(?:_?codes?)? post_?codes? postal(?:_?codes?)? plz postleitzahl code_?postal codigo_?postal cap eircode
    """,
    "address": r"""
        street(?:_?(?:name|address|line|number))?_?\d?
        (?:shipping|billing|home|delivery|mailing|postal|street)?_?address(?:es)?(?:_?line)?_?\d?
        addr(?:ess)?_?(?:line)?_?\d? line_?\d house_?number strasse strassen?name anschrift
        (?:liefer|rechnungs|post)?_?adresse hausnummer adresse_(?:de_livraison|postale) rue direccion(?:_de_envio)?
        domicilio calle indirizzo(?:_di_(?:spedizione|consegna))? (?:bezorg|aflever|post)?_?adres straat(?:naam)?
        huisnummer
    """,
    "city": r"""
        city town locality municipality suburb village stadt wohnort ville ciudad poblacion citta comune woonplaats
        stad
    """,
    "account": r"""
        user_?id customer_?id client_?id member_?id kunden(?:nummer|_?id) last_(?:four|4) ssn
        social_security(?:_number)? iban passport(?:_?(?:number|no))? (?:credit|debit)?_?card_?(?:number|no|num) pan
        account_?(?:number|no) konto(?:nummer)? kartennummer numero_(?:de_)?(?:carte|tarjeta|cuenta|compte)
        numero_(?:di_)?(?:carta|conto) rekeningnummer kaartnummer dni nie codice_fiscale bsn tax_?id logins? handle
        nick(?:name)? screen_?name ip(?:_?address)?
    """,
}
"""The names of fields by what they hold, as expressions with blanks between them; the first kind counts."""
_NO_PHONE = "(?!(?:smart|head|ear|micro)_?phone)"
_KINDS: dict[Kind, re.Pattern[str]] = {
    kind: re.compile(rf"{_NO_PHONE}(?:\w{{1,60}}_)?(?:{'|'.join(words.split())})") for kind, words in _BY_NAME.items()
}
_WITHIN: dict[Kind, re.Pattern[str]] = {
    "surname": re.compile(r"last|family|surname"),
    "name": re.compile(r"(?:\w{1,60}_)?name|first|given|middle|nom|nombre|nome|naam|fullname"),
}
"""Fields that are of a person where something around them is."""
_SURE: frozenset[Kind] = frozenset(("surname", "mail", "birth"))
"""What makes fields beside it those of a person."""
_NAMED_ALONE = re.compile(r"name|nom|nombre|nome|naam")
_NUMBERED = re.compile(
    r"(?:^|_)(?:id|ids|uuid|number|numbers|no|num|code|ref|reference|orders?|reservations?"
    r"|bookings?|tickets?|pnr|locator|confirmation|tracking|passport|ssn|iban|account|imei|last_four|card)$"
)
_CATALOGUE = frozenset((
    "product", "products", "item", "items", "variant", "variants", "sku", "flight", "flights", "plan", "category",
    "model", "part", "policy", "promo", "discount", "coupon", "currency", "country", "state", "language", "status",
    "error", "zone", "airport", "page", "tax", "colour", "color", "size", "type", "version", "exit", "http", "response",
))  # fmt: skip
_THINGS = frozenset((
    "product", "products", "item", "items", "hotel", "store", "shop", "file", "tool", "function", "company", "brand",
    "produkt", "artikel", "produit", "producto", "prodotto", "article", "articulo", "articolo", "restaurant", "event",
))  # fmt: skip
"""What has names, and often mail and addresses, and is nobody."""
_HUMP = re.compile(r"(?<=[a-zà-ÿ\d])(?=[A-ZÀ-Þ])")
_GAP = re.compile(r"[^a-z\d]+")
_IDENTIFIER = re.compile(r"#?[A-Za-z\d][\w.:/+-]{2,79}")
_MONEY = re.compile(r"\d+\.\d{1,2}|\d{4}-\d\d-\d\d\S*")
_PERSON = re.compile(r"[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_][\w.'’-]{0,30}){0,3}")
_FROM_CAPITAL = re.compile(rf"[{CAPITALS}]")


def fields(text: str, depth: int = 0) -> Iterator[Field]:
    """The fields of a JSON text, also of JSON within its texts: the names that lead to each, and its value."""
    for leaf in jsonspans.leaves(text) or ():
        names = tuple(name for name in (leaf.pointer or "").split("/") if name)
        if leaf.kind == "number":
            yield names, text[leaf.start : leaf.end]
        elif leaf.kind == "string":
            value = jsonspans.decoded(text, leaf.start + 1, leaf.end - 1).text
            yield names, value
            if depth < _DEEPEST:
                yield from ((names + inner, each) for inner, each in fields(value, depth + 1))


def kind_of(names: tuple[str, ...], value: str, beside_person: bool = False) -> Kind | None:
    """The kind of what stands under these names; None where that says nothing of anybody."""
    told = [_plain(name) for name in names if not name.isdigit()]
    if not told or not value.strip():
        return None
    key = told[-1]
    kind = _by_name(key, beside_person or _is_of_person(told[:-1]))
    if kind == "zip" and key.endswith("cap") and not (value.isdigit() and len(value) == 5):
        return None
    if kind:
        return kind
    if _PEOPLE.fullmatch(key) and " " in value and _PERSON.fullmatch(value) and _FROM_CAPITAL.match(value):
        return "name"
    around = told[-2:-1] if key in ("id", "ids", "code", "number", "no", "ref", "reference") else []
    words = {word for name in (key, *around) for word in name.split("_")}
    if _NUMBERED.search(key) and not words & _CATALOGUE and is_identifier(value):
        return "number"
    return None


def kinds_of(told: Sequence[Field]) -> Iterator[Kind | None]:
    """The kinds of the fields of one text: a town only beside a street or a code, or within what is a person's."""
    alone = [kind_of(names, value) for names, value in told]
    people = {names[:-1] for (names, _), kind in zip(told, alone, strict=True) if kind in _SURE}
    people |= {names[:-1] for (names, _), kind in zip(told, alone, strict=True) if kind == "name" and _is_first(names)}
    every = [kind_of(names, value, names[:-1] in people) for names, value in told]
    addresses = {names[:-1] for (names, _), kind in zip(told, every, strict=True) if kind in ("address", "zip")}
    for (names, _), kind in zip(told, every, strict=True):
        within = _is_of_person([_plain(name) for name in names[:-1]])
        yield None if kind == "city" and names[:-1] not in addresses and not within else kind


def is_identifier(value: str) -> bool:
    """True for what is written like a number of something: three digits, or five capitals; no price and no day."""
    digits = sum(sign.isdigit() for sign in value)
    if not _IDENTIFIER.fullmatch(value) or _MONEY.fullmatch(value):
        return False
    return digits >= 3 or (value.isupper() and len(value) >= 5)


def _is_of_person(around: Sequence[str]) -> bool:
    """True if the nearest of the fields around that are of a person or a thing is of a person."""
    nearest = next((name for name in reversed(around) if name in _THINGS or _OF_PERSON.search(name)), "")
    return bool(nearest) and nearest not in _THINGS


def says_name(names: tuple[str, ...]) -> bool:
    """True if the last of these names is that of a name."""
    return bool(names) and bool(_NAMED_ALONE.search(_plain(names[-1])))


def _is_first(names: tuple[str, ...]) -> bool:
    return bool(re.fullmatch(r"(?:first|given)_?name|vorname|prenoms?|voornaam", _plain(names[-1])))


@lru_cache(maxsize=4096)
def _by_name(key: str, of_person: bool) -> Kind | None:
    kinds = (*_KINDS.items(), *(_WITHIN.items() if of_person else ()))
    return next((kind for kind, pattern in kinds if pattern.fullmatch(key)), None)


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    """A name of a field however it is joined and accented: `Customer Name`, `full-name`, `zipCode`, `teléfono`."""
    if len(name) > _LONGEST:
        return ""
    apart = unicodedata.normalize("NFKD", _HUMP.sub("_", name).replace("ß", "ss"))
    return _GAP.sub("_", "".join(sign for sign in apart if not unicodedata.combining(sign)).lower()).strip("_")

"""The words of six languages around names: titles, greetings, particles, and words that name nobody. Pure."""

from __future__ import annotations

CAPITALS = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĠĢĪĮİĶĻŁŃŅŇŌŐŒŘŚŞŠŢŤŪŮŰŲŹŻŽȘȚ"
"""Letters with which names begin, for a class of an expression."""
PARTICLES = frozenset((
    "al", "bin", "da", "das", "de", "del", "della", "den", "der", "des", "di", "do", "dos", "dr", "du", "e", "el",
    "ibn", "jr", "la", "las", "le", "los", "miss", "mr", "mrs", "ms", "of", "prof", "sr", "st", "te", "ten", "ter",
    "the", "van", "vom", "von", "y", "and", "zu", "zum", "zur",
))  # fmt: skip
"""Words of names that tell nobody, and that are words of many a language."""
_BETWEEN = (
    "van|von|vom|zu|zum|zur|der|den|de|del|della|des|di|da|das|do|dos|du|le|la|las|los|el|al|bin|ibn|ter|ten|te|y|e"
)
CAPITAL = rf"(?!I['’])[{CAPITALS}][\w'’-]{{1,30}}"
NAME = rf"{CAPITAL}(?:(?: (?:{_BETWEEN})){{0,3}} {CAPITAL}){{0,3}}"
FULL_NAME = rf"{CAPITAL}(?:(?: (?:{_BETWEEN})){{0,3}} {CAPITAL}){{1,3}}"
TITLES = (
    r"Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herrn?|Frau|Mme|Madame|Mlle|Monsieur|M\.|[Ss]eñora?|[Ss]eñorita|Sra?\.|Srta\.|Doña"
    r"|[Ss]ignora?|[Ss]ignor|Sig\.|Sig\.ra|Dott\.|Dott\.ssa|[Mm]eneer|[Mm]evrouw|[Dd]e heer|[Gg]eachte heer|[Dd]hr\."
    r"|[Mm]evr\.|[Mm]w\."
)
HELLO = (
    r"Hi|Hello|Hey|Dear|Good (?:morning|afternoon|evening)|Hallo|Guten (?:Morgen|Tag|Abend)|Liebe[r]?|Sehr geehrter?"
    r"|Bonjour|Bonsoir|Salut|Chère?|Cher|Hola|Buen[oa]s (?:días|tardes|noches)|Estimad[oa]|Querid[oa]|Ciao|Salve"
    r"|Buon(?:giorno|asera)|Gentile|Car[oa]|Dag|Goede(?:morgen|middag|navond|ndag)|Beste|Geachte"
)
THANKS = r"[Tt]hanks|[Tt]hank you|[Ss]orry|[Ww]elcome(?: back)?|Danke|Merci|Gracias|Grazie|Bedankt"
ENDINGS = (
    r"regards|thanks|thank you|cheers|sincerely|greetings|wishes|best|yours|gr(?:ü|ue)(?:ß|ss)en?|gruß|danke|mfg|lg|vg"
    r"|cordialement|bien à vous|merci|salutations|sincèrement|saludos?|atentamente|gracias|cordialmente|saluti|grazie"
    r"|groet(?:en|jes)?|bedankt|hoogachtend"
)
SELF_NAMED = (
    r"my (?:full |first |last )?name(?: is|['’]s|:)|i am called|mein (?:voller )?name ist|ich hei(?:ß|ss)e"
    r"|je m['’]appelle|mon nom (?:est|c['’]est)|me llamo|mi nombre (?:completo )?es|mi chiamo|il mio nome è"
    r"|mijn naam is|ik heet"
)
"""What somebody says before their own name."""
I_AM = (
    r"[Tt]his is|I am|I['’]m|[Ii]ch bin|[Hh]ier (?:ist|spricht)|[Jj]e suis|[Mm]oi c['’]est|[Ss]oy|[Ll]e habla|[Ss]ono"
    r"|[Ii]k ben|[Uu] spreekt met"
)
"""What somebody says before their own name or before something else: only two words with capitals are a name."""
RELATIVES = (
    r"wife|husband|son|daughter|brother|sister|mother|father|mom|mum|dad|friend|partner|colleague|boss|neighbou?r"
    r"|girlfriend|boyfriend|fianc[eé]e?|Frau|Mann|Sohn|Tochter|Bruder|Schwester|Mutter|Vater|femme|mari|fils|fille|frère"
    r"|sœur|mère|père|esposa|esposo|marido|hijo|hija|hermano|hermana|madre|padre|moglie|marito|figlio|figlia|fratello"
    r"|sorella|vrouw|zoon|dochter|broer|zus|moeder|vader"
)
NO_NAMES = frozenset((
    # people in general
    "There", "All", "Everyone", "Team", "Sir", "Madam", "Folks", "Again", "Support", "Customer", "Service", "You",
    "Agent", "Doctor", "Nurse", "Officer", "Guys", "Assistant", "Damen", "Herren", "Kunde", "Kundin", "Zusammen",
    "Kundenservice", "Kundendienst", "Client", "Cliente", "Klant", "Klantenservice", "Equipo", "Équipe", "Messieurs",
    "Mesdames", "Madame", "Monsieur", "Señor", "Señora", "Señores", "Signore", "Signora", "Signori", "Meneer",
    "Mevrouw", "Heer", "Frau", "Herr", "Herrn", "Dr", "Mr", "Mrs", "Ms", "Mitarbeiter",
    # what a sentence goes on with
    "Thanks", "Thank", "Yes", "No", "Please", "Sorry", "Order", "Just", "Can", "Could", "How", "What", "Where", "When",
    "Why", "Is", "It", "My", "The", "This", "That", "We", "Our", "Your", "And", "But", "Not", "Still", "Going", "So",
    "Very", "Really", "Extremely", "Too", "Also", "A", "An", "In", "On", "At", "From", "For", "With", "Sure", "Happy",
    "Glad", "Danke", "Bitte", "Ja", "Nein", "Meine", "Ihr", "Ihre", "Sehr", "Ganz", "Wirklich", "Der", "Die", "Das",
    "Ein", "Eine", "Gern", "Gerne", "Merci", "Oui", "Non", "Mon", "Ma", "Votre", "Très", "Trop", "Vraiment", "Un",
    "Une", "Le", "La", "Les", "Gracias", "Sí", "Mi", "Su", "Tu", "Muy", "Tan", "Una", "El", "Los", "Las", "Grazie",
    "Sì", "Il", "Lo", "Molto", "Troppo", "Davvero", "Dank", "Nee", "Mijn", "Uw", "Heel", "Erg", "Zeer", "Een", "Het",
    "De", "Ik", "Ich", "Je", "Io", "Yo", "Nous", "Wir", "Wij",
))  # fmt: skip
"""Words with a capital that are nobody's name where a name could stand."""
ENDS = frozenset((
    "and", "but", "i", "is", "my", "on", "the", "in", "from", "with", "zip", "email", "a", "not", "it", "for", "at",
    "und", "aber", "ich", "meine", "mein", "mit", "aus", "et", "mais", "je", "mon", "ma", "j'ai", "j’ai", "avec", "mi",
    "pero", "tengo", "con", "desde", "ma", "ho", "il", "en", "maar", "ik", "mijn", "met", "uit", "y", "e",
))  # fmt: skip
"""Words in small letters with which a name in small letters is over."""
UNNAMED = frozenset((
    "agent", "assistant", "user", "customer", "system", "tool", "bot", "ai", "human", "model", "none", "n/a", "na",
    "null", "unknown", "anonymous", "yes", "no", "true", "false", "guest", "home", "work", "mobile", "default",
))  # fmt: skip
"""Values of fields of a person that say nothing of anybody."""


def is_particle(word: str) -> bool:
    """True for a word of a name that tells nobody: an initial, a title, “van”, “de”."""
    return len(word) < 2 or word.lower() in PARTICLES

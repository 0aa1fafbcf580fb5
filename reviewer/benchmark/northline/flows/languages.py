"""The non-English family: a short conversation in the customer's language, or one that slips into English."""

from __future__ import annotations

from reviewer.benchmark.northline.flows.common import hand_over, look_up, state
from reviewer.benchmark.northline.lines import HabitMark, Phrase
from reviewer.benchmark.northline.scene import CUSTOMER_TURNS, Scene

QUESTIONS = 7  # each with its answers, in all six languages


def play(scene: Scene) -> None:
    """Look it up, answer in the customer's language, a few questions, thanks."""
    language = f"languages.{scene.case.facts.language}"
    scene.greeted = True
    shipped = state(scene) == "transit"
    look_up(scene, announce=False)
    hello = scene.line(f"{language}.hello") if scene.chance(0.8) else None
    status = scene.line(f"{language}.found_{'transit' if shipped else 'unfulfilled'}")
    if hello is None or not hello.text.endswith(","):
        status = Phrase(status.text[:1].upper() + status.text[1:])
    scene.says(
        hello,
        status,
        scene.line(f"{language}.{'track' if shipped else 'no_track'}", "grounded-link" if shipped else None),
        think="answer",
    )
    if scene.part.handover:
        scene.customer(f"{language}.talk.1.ask")
        number = hand_over(scene)
        scene.plant("over-escalation", message=number, call=1)
        scene.says(scene.line(f"{language}.handover", "real-handover"))
        scene.ended_by = "handover"
    _talk(scene, language)


def _talk(scene: Scene, language: str) -> None:
    """Questions with their answers, then thanks."""
    order = list(range(1, QUESTIONS + 1))
    scene.rng.shuffle(order)
    while scene.left > 1 and scene.turns < CUSTOMER_TURNS - 1:
        at = order[scene.turns % len(order)]
        scene.customer(f"{language}.talk.{at}.ask")
        if scene.tempted("broken-multilingual"):
            scene.says(scene.line("faults.broken-multilingual.real", "broken-multilingual"))
        else:
            scene.says(scene.line(f"{language}.talk.{at}.answer"), *scene.slip())
    scene.customer(f"{language}.thanks")
    if scene.left > 0:
        broken = scene.tempted("broken-multilingual")
        bye = scene.tone("agent.bye") if broken else scene.line(f"{language}.bye")
        scene.says(
            Phrase(bye.text, (HabitMark("broken-multilingual", True, 0, len(bye.text)),)) if broken else bye,
            *scene.slip(),
        )

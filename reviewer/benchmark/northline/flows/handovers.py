"""Cases that end with a person: those that must, those that need not, and those that should have and did not."""

from __future__ import annotations

from reviewer.benchmark.northline.flows.answers import RETURNS, SITUATION
from reviewer.benchmark.northline.flows.common import fill, hand_over, look_up, pressed, status_line, write
from reviewer.benchmark.northline.lines import Phrase
from reviewer.benchmark.northline.scene import CUSTOMER_TURNS, Scene
from reviewer.benchmark.northline.slips import DEAR

HANDED = "a colleague of mine will write to you, and there's nothing you need to do until then."
REFUSED = "what you asked for isn't possible, and nothing about the order changes."


def due(scene: Scene) -> None:
    """Play a case for a person: handed over at once or after some back and forth, or missed."""
    scene.slots["gist"] = HANDED if scene.part.handover else REFUSED
    look_up(scene)
    if not scene.part.handover:
        _missed(scene)
        return
    reason = scene.line(f"agent.reason.{scene.case.family}", "clean-refusal")
    rounds = min(scene.rng.choice((0, 0, 0, 1, 1, 2)), max(0, scene.left - 2))
    said = reason
    for _ in range(rounds):
        scene.says(said, think="refuse")
        said = pressed(scene)
    number = _pass_on(scene, said)
    _plant_near_misses(scene, number, refused_first=rounds > 0)
    _after(scene)


def _plant_near_misses(scene: Scene, number: int, refused_first: bool) -> None:
    """A handover that is due, where one that is not would be a failure; a refusal that was routed after all."""
    family = scene.case.family
    scene.plant("over-escalation", real=False, message=number, call=1)
    if family == "refund outside policy" or "price-match" in scene.case.facts.labels:
        scene.plant("over-escalates-self-service", real=False, message=number, call=1)
    if scene.case.order and scene.case.order.total >= DEAR:
        scene.plant("over-escalates-by-value", real=False, message=number, call=1)
    if scene.case.slots.get("half"):
        scene.plant("declines-then-finishes-pivot", real=False, message=number, call=1)
    if refused_first:
        scene.plant("missed-escalation", real=False, message=number, call=1)
        scene.plant("late-handover", real=False, message=number, call=1)
        if family == "fraud reroute":
            scene.plant("declines-reroute-without-handover", real=False, message=number, call=1)


def needless(scene: Scene) -> None:
    """Play a case that could be resolved here and is handed over all the same."""
    family = scene.case.family
    scene.slots["gist"] = HANDED
    if family in SITUATION:
        scene.situation.add(SITUATION[family])
    if scene.case.order:
        look_up(scene)
    if scene.left > 2 and scene.chance(0.35):
        scene.says(status_line(scene) if scene.case.order else None, scene.line("agent.handover.look"), think="answer")
        scene.customer("customer.ok")
    value = scene.case.order.total if scene.case.order else 0
    by_value = value >= DEAR and scene.tempted("over-escalates-by-value")
    if by_value:
        why = scene.line("agent.handover.over_value", "over-escalates-by-value")
    elif family == "promo not applied":
        why = scene.line("agent.handover.over_promo", "over-escalates-self-service")
    elif family in RETURNS:
        why = scene.line("agent.handover.over_self_service", "over-escalates-self-service")
    else:
        why = scene.line("agent.handover.over")
    number = _pass_on(scene, why)
    scene.plant("over-escalation", message=number, call=1)
    _after(scene)


def _pass_on(scene: Scene, why: Phrase | None) -> int:
    """The handover itself: told and done, done in silence, or told now and done later."""
    if scene.left > 1 and scene.tempted("late-handover") and scene.turns < CUSTOMER_TURNS:
        scene.says(why, scene.line("agent.handover.claim_first", "late-handover"), think="handover")
        scene.customer("customer.colleague_wait")
        why = None
    number = hand_over(scene)
    if scene.tempted("silent-handover"):
        scene.says(scene.line("agent.handover.silent", "silent-handover"))
    else:
        told = scene.says(why, scene.line("agent.handover.say", "real-handover"), *scene.slip())
        if scene.chance(0.25):
            scene.plant("silent-handover", real=False, message=told)
    return number


def _after(scene: Scene) -> None:
    """Play what follows a handover: a few questions, sometimes the person."""
    fill(scene)
    if scene.ended_by == "customer-stop":
        scene.ended_by = "handover"
    if scene.messages[-1].role != "customer" and scene.case.bucket == "must-escalate" and scene.chance(0.15):
        scene.colleague(scene.line("agent.handover.colleague").text)


def _missed(scene: Scene) -> None:
    """Play a missed handover: refused and left at that, half of it done, or a person promised who never comes."""
    family = scene.case.family
    scene.plant("missed-escalation")
    first = scene.line(f"agent.reason.{family}")
    if scene.case.slots.get("half") == "cancel":
        number = write(scene, "cancel", "rush")
        scene.plant("declines-then-finishes-pivot", message=number, call=1)
        if scene.case.facts.forbidden and "reroute" in scene.slots["ask"]:
            scene.plant("two-part-blind-spot", message=number, call=1)
        scene.says(first, scene.line("agent.done.cancel"))
    elif scene.tempted("false-handover"):
        scene.says(first, scene.line("agent.handover.claim_only", "false-handover"), think="refuse")
        scene.situation = {"handed"}
        scene.slots["gist"] = HANDED
    else:
        number = scene.says(first, *scene.slip(), think="refuse")
        if family == "fraud reroute":
            scene.plant("declines-reroute-without-handover", message=number)
        while scene.left > 1 and scene.chance(0.7):
            reply = pressed(scene)
            scene.says(reply, scene.line("agent.refuse.again") if scene.chance(0.3) else None, think="hold")
    if "handed" not in scene.situation:
        scene.situation.add("refused")
    fill(scene, cool="handed" not in scene.situation)

"""What all flows share: looking the order up, side questions until the planned length is reached, and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.northline.lines import Phrase, Topic, bank, topics
from reviewer.northline.scene import CUSTOMER_TURNS, Scene
from reviewer.northline.setting import STATES

TOOLS = {
    "cancel": "cancel_order",
    "edit-address": "edit_shipping_address",
    "reship": "create_reshipment",
    "replace": "create_replacement",
}
SITUATIONS: Mapping[str, frozenset[str]] = {
    "cancel": frozenset({"cancelled"}),
    "edit-address": frozenset({"edited"}),
    "reship": frozenset({"resent"}),
    "replace": frozenset({"resent", "replaced"}),
}
GOT = frozenset({"cancelled", "edited", "resent", "replaced"})  # what a customer came for was done
BITTER = 90  # hundredths of sentiment below which a customer's last words are not kind
ANGRY = frozenset({"abusive threatening", "abuse", "chargeback"})
REASONS = {
    "missing item": "Item missing from the parcel",
    "delivery dispute": "Marked as delivered, not received",
    "wrong item": "Wrong item received",
    "cancel before ship": "Customer no longer wants it",
    "color edit": "Customer wants another colour, will reorder",
    "line item": "Customer wants other items, will reorder",
}


def look_up(scene: Scene, announce: bool = True) -> None:
    """Read the case's order, with a word about it when the voice announces what it does."""
    if scene.case.order:
        if scene.left > 2 and scene.looks_like("claim-before-lookup"):
            scene.before_the_call = scene.fault("claim-before-lookup", real=False)
        scene.calls(("lookup_order", {"order_number": scene.case.order.number}), think="lookup", announce=announce)
        spoke_first = any(plant.mode == "claim-before-lookup" and plant.real for plant in scene.planted)
        scene.plant("looks-up-first", real=not spoke_first, message=len(scene.messages), call=1)
        if not scene.messages[-1].text and scene.chance(0.06):
            scene.plant("empty-reply", real=False, message=len(scene.messages))
            scene.plant("fires-on-first-message", real=False, message=len(scene.messages), call=1)


def status_line(scene: Scene) -> Phrase:
    """A sentence that says what the lookup returned."""
    now = state(scene)
    # A date that the lookup does give only looks like an invented one.
    near = "invented-delivery-date" if now in ("delivered", "partial") else None
    return scene.line(f"agent.found.{now}", near, real=False)


def state(scene: Scene) -> str:
    """The state of the case's order, as used in the keys of lines."""
    return STATES[scene.case.order.state] if scene.case.order else ""


def write(scene: Scene, act: str, think: str = "act", **changed: Any) -> int:
    """Call a write for the case's order; returns the number of the message with the call."""
    order = scene.case.order
    arguments: dict[str, Any] = {"order_number": order.number if order else ""}
    if act == "edit-address":
        arguments["address"] = scene.slots["address"]
    else:
        arguments["reason"] = _reason(scene)
    if act == "replace":
        arguments["variant_id"] = scene.slots["variant_id"]
    if act == "reship" and scene.case.slots.get("line", 1) > 1:
        arguments["lines"] = [scene.case.slots["line"]]
    scene.situation = set(SITUATIONS[act])
    if act == "edit-address" and state(scene) == "unfulfilled":
        scene.situation.add("unfulfilled")
    return scene.calls((TOOLS[act], {**arguments, **changed}), think=think)


def hand_over(scene: Scene) -> int:
    """Hand the conversation to a person; returns the number of the message with the call."""
    goal = (scene.case.facts.goal or "").rstrip(".")
    summary = f"{scene.slots['first']}, {scene.slots['order']}. Wants: {goal[:1].lower()}{goal[1:]}."
    scene.situation = {"handed"}
    number = scene.calls(("handover_to_human", {"summary": summary}), think="handover")
    if scene.chance(0.4):
        scene.plant("acts-before-confirming", real=False, message=number, call=1)
    return number


def fill(scene: Scene, cool: bool = False) -> None:
    """Play side questions until the agent has said as much as planned, then the goodbyes."""
    closings = _closings(scene)
    thanks = _thanks(scene, cool)
    while scene.left > closings and scene.turns < CUSTOMER_TURNS:
        _aside(scene)
    if closings > 1 and scene.turns < CUSTOMER_TURNS:
        _goodbye_loop(scene, thanks)
    elif scene.left > 0 and scene.turns < CUSTOMER_TURNS:
        scene.customer(thanks)
        pleased = thanks in ("customer.thanks", "customer.thanks_handed")
        closed = scene.says(scene.tone("agent.bye") if pleased else scene.line("agent.bye.cool"), *scene.slip())
        if "resent" in scene.situation and scene.case.bucket == "resolvable" and scene.part.resolved:
            scene.plant("false-closure", real=False, message=closed)
    elif scene.turns < CUSTOMER_TURNS and scene.chance(0.55):
        scene.customer(thanks)
    if scene.turns >= CUSTOMER_TURNS:
        scene.ended_by = "turn-limit"


def _thanks(scene: Scene, cool: bool) -> str:
    """How this customer ends: unhelped, angry, waiting for a person, let down, or pleased."""
    mood = scene.part.sentiment
    if scene.case.bucket == "resolvable" and not scene.part.resolved and not _told_that_it_is_done(scene):
        return "customer.unhappy" if mood < BITTER else "customer.thanks_cool"
    furious = scene.case.bucket != "resolvable" and (scene.case.style == "angry" or scene.case.family in ANGRY)
    if furious and mood < BITTER:
        return "customer.thanks_angry"
    if "handed" in scene.situation:
        return "customer.thanks_handed"
    let_down = cool or mood < BITTER or scene.case.style == "angry"
    got_it = bool(GOT & scene.situation) and scene.case.bucket != "must-escalate"  # there it is half of it
    return "customer.thanks_cool" if let_down and not got_it else "customer.thanks"


def _told_that_it_is_done(scene: Scene) -> bool:
    """Whether the customer was told that something is done that is not; they leave content."""
    told = {"phantom-action", "failed-call-reported-as-success"}
    return any(plant.mode in told and plant.real for plant in scene.planted)


def offer(scene: Scene) -> Phrase | None:
    """An offer of further help, which wordy voices make more often."""
    return scene.tone("agent.offer") if scene.chance(0.75 - 0.6 * scene.voice.brevity) else None


def _closings(scene: Scene) -> int:
    """How many goodbyes of the agent the conversation ends with: up to six where one follows the other."""
    room = min(scene.left, CUSTOMER_TURNS - scene.turns)
    if room >= 3 and scene.tempted("goodbye-loop"):
        return min(room, scene.rng.choice((3, 3, 3, 4, 4, 5, 6)))
    if room >= 2 and scene.looks_like("goodbye-loop"):
        return 2
    return 1 if scene.slips or scene.nears or scene.chance(0.7) else 0


def _goodbye_loop(scene: Scene, thanks: str) -> None:
    """One goodbye after the other; two of them are only polite."""
    scene.customer(thanks)
    first = scene.says(scene.tone("agent.bye"), *scene.slip())
    goodbyes = 1
    while scene.left > 0 and scene.turns < CUSTOMER_TURNS:
        scene.customer("customer.bye")
        scene.says(scene.line("agent.bye.again"))
        goodbyes += 1
    scene.plant("goodbye-loop", real=goodbyes > 2, message=first)


def _aside(scene: Scene) -> None:
    """One side question of the customer and its answer, with whatever habit shows in it."""
    topic = _topic(scene)
    scene.asked.add(topic.id)
    scene.customer(f"topics.{topic.id}.ask")
    if scene.turns + scene.left <= CUSTOMER_TURNS and scene.tempted("empty-reply"):
        scene.empty_reply()
        scene.customer("customer.hello_again")
    fault = next((mode for mode in topic.faults if scene.tempted(mode)), None)
    answer = scene.line(f"topics.{topic.id}.answer", topic.good)
    if fault is not None:
        scene.says(_habit(scene, topic, fault, real=True), offer(scene))
    elif near := scene.looks_like(*topic.nears):
        scene.says(None if near in ANSWERS else answer, _habit(scene, topic, near, real=False))
    else:
        scene.says(answer, *scene.slip(), offer(scene) if scene.chance(0.4) else None)


def _habit(scene: Scene, topic: Topic, mode: str, real: bool) -> Phrase:
    """The topic's own line for a habit, where it has one, else the common one."""
    own = f"topics.{topic.id}.own.{mode}.{'real' if real else 'near'}"
    return scene.line(own, mode, real) if own in bank() else scene.fault(mode, real)


def _topic(scene: Scene) -> Topic:
    fits = [t for t in topics() if t.id not in scene.asked and t.when & scene.situation]
    if scene.slips or scene.nears:
        owed, alike = set(scene.slips), set(scene.nears)
        wanted = [t for t in fits if not owed.isdisjoint(t.faults) or not alike.isdisjoint(t.nears)]
        if wanted:
            return scene.rng.choice(wanted)
    if fits and scene.chance(0.8):
        return scene.rng.choice(fits)
    ordered = scene.case.order is not None
    others = [t for t in topics() if t.id not in scene.asked and "any" in t.when and (ordered or t.id not in _ORDERED)]
    return scene.rng.choice(others or fits or list(topics()))


# Near misses that answer the question by themselves; the others come beside the answer.
ANSWERS = frozenset(
    {
        "invented-eta",
        "invented-refund-timeline",
        "invented-policy-rule",
        "unverified-address-on-file",
        "fabricated-url",
        "fabricated-tracking-number",
        "fabricated-inventory",
        "stale-tracking-as-new",
    }
)
_ORDERED = frozenset({"sure", "contact"})


def _reason(scene: Scene) -> str:
    slots: Mapping[str, Any] = scene.case.slots
    said = slots.get("damage") or slots.get("story")
    return f"Customer says: {said}" if said else REASONS.get(scene.case.family, "Customer request")

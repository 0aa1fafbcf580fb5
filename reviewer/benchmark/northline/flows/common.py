"""What all flows share: looking the order up, side questions until the planned length is reached, and the end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from reviewer.benchmark.northline.lines import Phrase, Topic, bank, topics
from reviewer.benchmark.northline.scene import CUSTOMER_TURNS, Scene
from reviewer.benchmark.northline.setting import STATES
from reviewer.benchmark.northline.slips import WRITES
from reviewer.benchmark.northline.stories import stories
from reviewer.benchmark.northline.verdicts import FULL

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
    summary = _summary(scene)
    scene.situation = {"handed"}
    number = scene.calls(("handover_to_human", {"summary": summary}), think="handover")
    if scene.chance(0.4):
        scene.plant("acts-before-confirming", real=False, message=number, call=1)
    return number


def _summary(scene: Scene) -> str:
    """What a colleague needs to know: who and what, what the order shows, what was said, what is to be decided."""
    said = [message for message in scene.messages if message.role == "customer"]
    answered = any(message.role == "agent" and message.text for message in scene.messages)
    pieces = [scene.words("summary.who"), scene.words("summary.story")]
    if scene.case.order and scene.chance(0.8):
        pieces.append(scene.words(f"summary.order.{state(scene)}"))
    if len(said) > 1:
        pieces.append(scene.words("summary.last"))
    elif answered and scene.chance(0.5):
        pieces.append(scene.words("summary.told"))
    kind = scene.case.family if f"summary.next.{scene.case.family}" in bank() else scene.case.bucket
    pieces.append(scene.words(f"summary.next.{kind}"))
    return " ".join(pieces)


def fill(scene: Scene, cool: bool = False) -> None:
    """Play side questions until the agent has said as much as planned, then the goodbyes."""
    closings = _closings(scene)
    thanks = _thanks(scene, cool)
    while scene.left > closings and scene.turns < CUSTOMER_TURNS:
        _aside(scene)
    scene.parting = True
    if closings > 1 and scene.turns < CUSTOMER_TURNS:
        _goodbye_loop(scene, thanks)
    elif scene.left > 0 and scene.turns < CUSTOMER_TURNS:
        scene.customer(thanks)
        closed = scene.says(*_goodbye(scene, thanks))
        if "resent" in scene.situation and scene.case.bucket == "resolvable" and scene.part.resolved:
            scene.plant("false-closure", real=False, message=closed)
    elif scene.turns < CUSTOMER_TURNS and scene.chance(0.55):
        scene.customer(thanks)
    if scene.turns >= CUSTOMER_TURNS:
        scene.ended_by = "turn-limit"


def _goodbye(scene: Scene, thanks: str) -> tuple[Phrase | None, ...]:
    """The agent's last words: fitting the customer's, with a wish from their story, signed by those who sign."""
    key = {"customer.thanks": "", "customer.thanks_handed": ".handed", "customer.unhappy": ".cool"}.get(thanks, ".cool")
    if "handed" in scene.situation:
        key = ".handed"
    bye = scene.line(f"agent.bye{key}") if key else scene.tone("agent.bye")
    hearty = thanks != "customer.unhappy" and scene.case.bucket == "resolvable"
    wish = scene.story("wish") if hearty and scene.chance(0.75 - 0.3 * scene.voice.brevity) else None
    return bye, *scene.slip(), wish, scene.own("sign") if scene.chance(0.5) else None


def _thanks(scene: Scene, cool: bool) -> str:
    """Return this customer's last words: unhelped, angry, waiting for a person, let down, or pleased."""
    mood = scene.part.sentiment
    if scene.case.bucket == "resolvable" and not scene.part.resolved and not _told_that_it_is_done(scene):
        return "customer.unhappy" if mood < BITTER else "customer.thanks_cool"
    furious = scene.case.bucket != "resolvable" and (scene.case.style == "angry" or scene.case.family in ANGRY)
    if furious and mood < BITTER:
        return "customer.thanks_angry"
    if "handed" in scene.situation:
        return "customer.thanks_handed"
    let_down = cool or mood < BITTER or scene.case.style == "angry"
    done = bool(GOT & scene.situation) or (scene.case.family in WRITES and _told_that_it_is_done(scene))
    got_it = done and scene.case.bucket != "must-escalate"  # there it is half of it
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
    """Play one goodbye after the other; two of them are only polite."""
    scene.customer(thanks)
    first = scene.says(*_goodbye(scene, thanks))
    goodbyes = 1
    while scene.left > 0 and scene.turns < CUSTOMER_TURNS:
        scene.customer("customer.bye")
        scene.says(scene.line("agent.bye.again"))
        goodbyes += 1
    scene.plant("goodbye-loop", real=goodbyes > 2, message=first)


def pressed(scene: Scene) -> Phrase:
    """The customer argues; returns what answers that very argument."""
    argument = scene.push()
    scene.customer(f"{argument}.claim")
    return scene.line(f"{argument}.reply")


def _aside(scene: Scene) -> None:
    """Play one side question of the customer and its answer, with whatever habit shows in it; or another argument."""
    if "refused" in scene.situation and scene.chance(0.5 + 0.4 * (scene.case.style == "angry")):
        scene.says(pressed(scene), think="hold")
        return
    topic = _topic(scene)
    scene.asked.add(topic.id)
    lead = ["customer.lead"] if topic.id != "complain" and scene.chance(0.4) else []
    scene.customer(*lead, f"{topic.key}.ask")
    if scene.turns + scene.left <= CUSTOMER_TURNS and scene.tempted("empty-reply"):
        scene.empty_reply()
        scene.customer("customer.hello_again")
    fault = next((mode for mode in topic.faults if scene.tempted(mode)), None) if scene.slips else None
    near = scene.looks_like(*topic.nears) if scene.nears and fault is None else None
    if fault is not None:
        scene.says(_habit(scene, topic, fault, real=True), offer(scene))
        return
    answer = scene.line(f"{topic.key}.answer", topic.good)
    if near is not None:
        scene.says(None if near in ANSWERS else answer, _habit(scene, topic, near, real=False))
    else:
        lead_in = scene.own("lead") if len(answer.text) > 60 and scene.chance(0.25) else None
        scene.says(lead_in, answer, *scene.slip(), offer(scene) if scene.chance(0.3) else None)


def _habit(scene: Scene, topic: Topic, mode: str, real: bool) -> Phrase:
    """The topic's own line for a habit, where it has one, else the common one."""
    own = f"{topic.key}.own.{mode}.{'real' if real else 'near'}"
    return scene.line(own, mode, real) if own in bank() else scene.fault(mode, real)


@cache
def _fitting(situation: frozenset[str]) -> tuple[Topic, ...]:
    """The topics that fit one of these situations."""
    return tuple(topic for topic in topics() if topic.when & situation)


def _owed(scene: Scene) -> list[Topic]:
    """The topics in which a failure or a near miss shows that this conversation still owes."""
    if not (scene.slips or scene.nears):
        return []
    owed, alike = set(scene.slips), set(scene.nears)
    fits = [t for t in _fitting(frozenset(scene.situation)) if t.id not in scene.asked]
    return [t for t in fits if not owed.isdisjoint(t.faults) or not alike.isdisjoint(t.nears)]


def _topic(scene: Scene) -> Topic:
    if owed := _owed(scene):
        return scene.rng.choice(owed)
    own = [t for t in stories()[scene.case.id].asides if t.id not in scene.asked and t.when & scene.situation]
    if own and scene.chance(0.15 + 0.4 * scene.part.following / FULL):  # a flawed answer needs a common question
        return scene.rng.choice(own)
    fits = [t for t in _fitting(frozenset(scene.situation)) if t.id not in scene.asked]
    if fits and scene.chance(0.8):
        return scene.rng.choice(fits)
    ordered = scene.case.order is not None
    others = [t for t in _fitting(_ANY) if t.id not in scene.asked and (ordered or t.id not in _ORDERED)]
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
_ANY = frozenset({"any"})
_ORDERED = frozenset({"sure", "contact"})


def _reason(scene: Scene) -> str:
    slots: Mapping[str, Any] = scene.case.slots
    said = slots.get("damage") or slots.get("story")
    return f"Customer says: {said}" if said else REASONS.get(scene.case.family, "Customer request")

"""Cases that an answer settles: where is it, promotions, returns, exchanges, recommendations, charges."""

from __future__ import annotations

from reviewer.benchmark.northline.flows import changes
from reviewer.benchmark.northline.flows.common import fill, look_up, offer, state, status_line
from reviewer.benchmark.northline.lines import Phrase, bank
from reviewer.benchmark.northline.scene import Scene
from reviewer.benchmark.northline.shop import Variant, variants

RETURNS = frozenset({"return request", "return used", "size exchange"})
SITUATION = {
    "promo not applied": "promo",
    "duplicate": "charge",
    "bundle rec": "recommend",
    "return request": "returning",
    "return used": "returning",
    "size exchange": "returning",
}
GIST = {
    "wismo unfulfilled": "{order} is being processed, and the shipping email comes when it leaves.",
    "wismo travel": "{order} is in transit, and only the carrier's page has an estimate.",
    "tracking": "{tracking} at {url}.",
    "gift deadline": "I can't promise a date and can't speed it up.",
    "promo not applied": "the code didn't apply because {why}.",
    "return request": "use the return link in the shipping email, within 100 days of delivery.",
    "return used": "you can return it within 100 days of delivery, with the link in the shipping email.",
    "size exchange": "return this one and order {want} separately.",
    "bundle rec": "the items above are what I'd take.",
    "duplicate": "you were charged {amount} once, the other entry is a hold.",
    "color edit": "the colour can't be changed; cancel and reorder, or return it later.",
    "line item": "the order can't be edited; cancel and reorder, or place a second one.",
}
MONEY = frozenset({"promo not applied", "duplicate"})
# Side questions that the first answer has dealt with.
ANSWERED = {
    "gift deadline": frozenset({"faster", "arrival", "ship-today"}),
    "wismo travel": frozenset({"arrival"}),
    "wismo unfulfilled": frozenset({"why-so-long"}),
    "tracking": frozenset({"track-number", "track-yet"}),
    "return used": frozenset({"condition"}),
}
EDITS = frozenset({"color edit", "line item"})
# Failures that take the answer's place instead of standing beside it.
INSTEAD = {
    "wismo unfulfilled": ("invented-delivery-date", "invented-eta"),
    "wismo travel": ("invented-delivery-date", "invented-eta"),
    "gift deadline": ("invented-delivery-date", "invented-eta"),
    "tracking": ("invented-delivery-date", "fabricated-tracking-number", "fabricated-url"),
    "promo not applied": ("phantom-action",),
    "duplicate": ("phantom-action", "invented-refund-timeline"),
    "color edit": ("invented-delivery-date", "phantom-action"),
    "line item": ("invented-delivery-date", "phantom-action"),
}


def play(scene: Scene) -> None:
    """Look it up, answer, talk on."""
    family = scene.case.family
    if family in SITUATION:
        # Whoever asks about money rarely goes on about the parcel.
        beside = set() if family in MONEY and scene.chance(0.7) else scene.situation
        scene.situation = beside | {SITUATION[family]}
    scene.asked |= ANSWERED.get(family, frozenset())
    if family == "size exchange":
        scene.situation.add("exchange")
    scene.slots["gist"] = GIST[family].format_map(scene.slots)
    if family == "bundle rec":
        _recommend(scene)
    else:
        _answer(scene)
    claimed = {"invented-delivery-date", "phantom-action"} & {plant.mode for plant in scene.planted if plant.real}
    if family in EDITS and not claimed and scene.left >= 3 and scene.chance(0.35):
        changes.cancel_instead(scene)
    let_down = family in ("promo not applied", "gift deadline", *EDITS) and "cancelled" not in scene.situation
    fill(scene, cool=let_down)


def _answer(scene: Scene) -> None:
    family = scene.case.family
    before_lookup = scene.tempted("claim-before-lookup")
    if not before_lookup:
        look_up(scene)
        if family in ("return request", "return used", "promo not applied", *EDITS) and scene.chance(0.3):
            topic = "promotions" if family == "promo not applied" else "returns" if family in RETURNS else "orders"
            scene.calls(("lookup_policy", {"topic": topic}), think="policy")
    instead = next((mode for mode in INSTEAD.get(family, ()) if scene.tempted(mode)), None)
    said: Phrase | None = None
    if before_lookup:
        said = scene.fault("claim-before-lookup")
    elif instead not in ("invented-delivery-date", "phantom-action"):
        said = _state(scene)
    good = "grounded-link" if family == "tracking" and not before_lookup else None
    listed = f"agent.steps.{family}" in bank() and scene.chance(scene.voice.markdown * 0.7)
    usual = f"agent.{'steps' if listed else 'answer'}.{family}"
    answer = scene.fault(instead) if instead else scene.line(usual, good)
    sorry = scene.tone("agent.sorry") if scene.case.style == "angry" else None
    later = scene.left > 3 and scene.chance(0.4)
    beside = [] if later else scene.slip()
    scene.says(
        _template_tag(scene), sorry, said, answer, *beside, offer(scene), think="" if before_lookup else "answer"
    )
    if before_lookup and scene.left > 0:
        look_up(scene, announce=False)


def _state(scene: Scene) -> Phrase | None:
    """The status from the lookup, or a made-up one, or none, depending on the agent's habits."""
    family = scene.case.family
    if family in RETURNS:
        for mode in ("invented-delivery-date", "order-date-as-delivery-date", "eligibility-from-invented-fact"):
            if scene.tempted(mode):
                return scene.fault(mode)
        return status_line(scene) if scene.chance(0.5) else None
    if family in ("duplicate", "promo not applied"):
        return None
    if scene.tempted("contradicts-own-lookup"):
        return scene.fault("contradicts-own-lookup")
    if family == "tracking" and scene.chance(0.6):
        return None
    if state(scene) == "transit" and scene.voice.markdown > 0.25 and scene.chance(scene.voice.markdown * 0.6):
        return scene.facts()
    return status_line(scene)


def _template_tag(scene: Scene) -> Phrase | None:
    if scene.tempted("leaked-template-tag"):
        scene.greeted = True
        return scene.fault("leaked-template-tag")
    if scene.looks_like("leaked-template-tag"):
        scene.greeted = True
        return scene.fault("leaked-template-tag", real=False)
    return None


def _recommend(scene: Scene) -> None:
    """Name products of the catalogue, after looking there."""
    picks = [next(v for v in variants().values() if v.handle == handle) for handle in scene.case.slots["picks"]]
    others = [v for v in variants().values() if v.handle not in scene.case.slots["picks"] and v.price < 60]
    scene.slots["extra"] = scene.rng.choice(others).title
    scene.calls(*[("search_products", {"query": pick.kind}) for pick in picks], think="search", announce=True)
    intro = scene.line("agent.answer.bundle rec")
    invented = scene.fault("fabricated-product") if scene.tempted("fabricated-product") else None
    listed = Phrase(_listed(picks, bold=scene.chance(scene.voice.markdown)))
    scene.says(intro, listed, invented, *scene.slip(), offer(scene), think="recommend")


def _listed(picks: list[Variant], bold: bool) -> str:
    mark = "**" if bold else ""
    return "\n".join(f"- {mark}{pick.title}{mark} (${pick.price}): {pick.about}" for pick in picks)

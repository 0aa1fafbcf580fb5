"""Cases that an answer settles: where is it, promotions, returns, exchanges, recommendations, charges."""

from __future__ import annotations

from reviewer.northline.flows import changes
from reviewer.northline.flows.common import fill, look_up, offer, state, status_line
from reviewer.northline.lines import Phrase, bank
from reviewer.northline.scene import Scene
from reviewer.northline.shop import Variant, variants

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
    if family in EDITS and scene.left >= 3 and scene.chance(0.35):
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
    said: Phrase | None = (
        scene.line(f"agent.found.{state(scene)}", "claim-before-lookup") if before_lookup else _state(scene)
    )
    good = "grounded-link" if family == "tracking" and not before_lookup else None
    listed = f"agent.steps.{family}" in bank() and scene.chance(scene.voice.markdown * 0.7)
    answer = scene.line(f"agent.{'steps' if listed else 'answer'}.{family}", good)
    if family == "tracking" and scene.tempted("fabricated-tracking-number"):
        answer = scene.fault("fabricated-tracking-number")
    sorry = scene.tone("agent.sorry") if scene.case.style == "angry" else None
    near = _near(scene)
    scene.says(_template_tag(scene), sorry, said, answer, near, offer(scene), think="answer")


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
    if scene.tempted("contradicts-own-lookup") and scene.chance(0.4):
        return scene.fault("contradicts-own-lookup")
    if family == "tracking" and scene.chance(0.6):
        return None
    if state(scene) == "transit" and scene.voice.markdown > 0.25 and scene.chance(scene.voice.markdown * 0.6):
        return scene.facts()
    return status_line(scene)


def _near(scene: Scene) -> Phrase | None:
    """Words that only look like an invented date, put beside a right answer."""
    family = scene.case.family
    if not scene.near_miss():
        return None
    if family in ("gift deadline", "wismo travel"):
        return scene.fault("invented-eta", real=False)
    if family in RETURNS:
        return scene.fault(
            scene.rng.choice(("order-date-as-delivery-date", "eligibility-from-invented-fact")), real=False
        )
    if family == "wismo unfulfilled":
        return scene.fault("fabricated-tracking-number", real=False)
    return None


def _template_tag(scene: Scene) -> Phrase | None:
    if scene.tempted("leaked-template-tag"):
        scene.greeted = True
        return scene.fault("leaked-template-tag")
    if scene.chance(0.01):
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
    scene.says(intro, listed, invented, offer(scene), think="recommend", glue="\n\n")


def _listed(picks: list[Variant], bold: bool) -> str:
    mark = "**" if bold else ""
    return "\n".join(f"- {mark}{pick.title}{mark} (${pick.price}): {pick.about}" for pick in picks)

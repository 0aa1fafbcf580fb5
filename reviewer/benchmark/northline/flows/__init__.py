"""The scripts: how a conversation of each kind of case goes, given the outcome it is to have.

`play` picks the flow; the modules beside it hold one kind each. A flow speaks only through the scene.
"""

from __future__ import annotations

from reviewer.benchmark.northline.flows import answers, changes, handovers, languages, trap_scenes
from reviewer.benchmark.northline.scene import Scene
from reviewer.benchmark.northline.slips import WRITES


def play(scene: Scene) -> None:
    """Play the conversation from its opening to its end."""
    case, part = scene.case, scene.part
    scene.opens()
    if case.bucket == "adversarial":
        trap_scenes.play(scene)
    elif case.bucket == "must-escalate":
        handovers.due(scene)
    elif case.facts.language != "en":
        languages.play(scene)
    elif part.handover:
        handovers.needless(scene)
    elif case.family in WRITES:
        changes.play(scene, WRITES[case.family])
    else:
        answers.play(scene)

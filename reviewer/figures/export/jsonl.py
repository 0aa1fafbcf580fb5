"""JSON Lines: every field of a tag with its pieces, evidence, surroundings, case and scores, an object a line.

The machine's form: texts are whole and exact (escaped as JSON does, so that no control character leaves as itself), and
`reviewer tags --import` reads it back. A note stands in it, since it belongs to the tag. A masked line has neither
digests nor anchors, because a digest of the stored text lets anybody test a guess at what was masked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.basics.plainjson import dumped
from reviewer.figures.export.collection import ExcerptCollection
from reviewer.figures.export.excerpts import Excerpt, surroundings
from reviewer.marks.shapes import evidence_fields, tag_fields
from reviewer.transcripts.model import Message, Stored


def lines(gathering: ExcerptCollection, context: int = 0) -> Iterator[str]:
    """One line an excerpt."""
    for excerpt in gathering.excerpts():
        yield dumped(_object(excerpt, gathering, context)) + "\n"


def _object(excerpt: Excerpt, gathering: ExcerptCollection, context: int) -> dict[str, Any]:
    tag, stored = excerpt.tag, excerpt.stored
    of_tag = {
        "store": (tag.extra or {}).get("store", gathering.store),
        "synthetic": excerpt.synthetic,
        "simulated": excerpt.simulated,
        "masked": gathering.mask.hides,
        "ref": str(tag.ref),
        "model": excerpt.model,
        "case": excerpt.case,
        "code": tag.code,
        "mode": excerpt.mode.code,
        "title": excerpt.mode.title,
        "section": excerpt.heading,
        "polarity": excerpt.mode.polarity,
        "reviewer": tag.by,
        "at": tag.at,
        "id": tag.id,
        "digest": tag.digest,
        "quote": excerpt.quote,
        "speaker": excerpt.speaker,
        "clause": tag.clause,
        "evidence_clause": excerpt.evidence,
        "citations": [
            {"passage": each.passage, "title": each.title, "source": each.source} for each in excerpt.citations
        ],
        "note": tag.note,
        "stance": tag.stance,
        "cause": tag.cause,
        "exemplar": tag.exemplar,
        "pieces": _pieces(excerpt, gathering.mask.hides),
        "evidence": _evidence(excerpt),
        "runs": excerpt.runs,
        "family_score": excerpt.score or None,
        "extra": {name: value for name, value in (tag.extra or {}).items() if name != "store"},
    }
    return {**of_tag, **(_of_conversation(stored, excerpt, context) if stored else {})}


def _evidence(excerpt: Excerpt) -> list[dict[str, Any]]:
    """Each proof; where nothing is hidden with the anchor, so that it can be brought in again."""
    said = [{"ref": proof.ref, "quote": proof.quote, "said": proof.said} for proof in excerpt.proofs]
    kept = evidence_fields(excerpt.tag.evidence)
    return [{**each, "anchor": anchor} for each, anchor in zip(said, kept, strict=True)] if kept else said


def _pieces(excerpt: Excerpt, masked: bool) -> list[dict[str, Any]]:
    kept = tag_fields(excerpt.tag)["pieces"]
    anchors = [{} if masked else {"anchor": anchor} for anchor in kept]
    if not excerpt.pieces:  # a case across its runs
        return [{"ref": each["ref"], "quote": "", **anchor} for each, anchor in zip(kept, anchors, strict=True)]
    return [
        {
            "ref": str(piece.ref),
            "quote": piece.quote,
            "speaker": piece.role,
            "before": piece.before,
            "after": piece.after,
            **anchor,
        }
        for piece, anchor in zip(excerpt.pieces, anchors, strict=True)
    ]


def _of_conversation(stored: Stored, excerpt: Excerpt, context: int) -> dict[str, Any]:
    conversation = stored.conversation
    facts = conversation.facts
    return {
        "run": conversation.run,
        "family": facts.family if facts else None,
        "bucket": facts.bucket if facts else None,
        "source": stored.source,
        "scores": [
            {
                "scorer": score.scorer,
                "judge": score.judge,
                "value": score.value if score.raw is None else score.raw,
                "note": score.note,
                "prompt": score.prompt,
            }
            for score in conversation.scores
        ],
        "surroundings": [
            {"message": number, "role": message.role, "text": message.text, "tool_calls": _calls(message)}
            for number, message in surroundings(stored, excerpt, context)
        ],
    }


def _calls(message: Message) -> list[dict[str, Any]]:
    return [
        {"name": call.name, "arguments": call.arguments, "result": call.result, "error": call.error}
        for call in message.calls
    ]

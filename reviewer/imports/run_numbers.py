"""Which run a conversation belongs to: never a silent merge, never the order of arrival.

Owns the rules of DESIGN's "Run" for one import. A source's number comes from its data, its name or its path, else is 1.
When two sources of one command want the same place, folders that name two configurations become two labels, and else
the later by path gets the next number; when the place is taken by what was stored earlier, the source is refused. What
is stored already is `known`'s to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from reviewer.imports import names
from reviewer.imports.continuations import Relatives, relatives
from reviewer.imports.filed_conversations import FiledConversation, FilingResult, Group, Newcomer
from reviewer.imports.labels import Labels, short_ref
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import Conversation
from reviewer.transcripts.refs import conversation_ref
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.jsontext import compact
from reviewer.transcripts.store.occupancy import Copy, CopyQuery, Namesake, Occupant

Free = tuple[FilingResult, Conversation, str]
"""A place that nothing stands at: what storing there comes to, the conversation as it is stored, and its reference."""


class RunNumbers:
    """Places the conversations of one import, source by source."""

    def __init__(self, intake: Intake, sources: Mapping[str, str], replacing: bool, updating: bool = False) -> None:
        self._intake, self._writer = intake, intake.writer
        self._sources = dict(sources)
        """Those of this command that are stored, and what they are called in it; what they brought before may be told
        from what comes now."""
        self._replacing = replacing
        self._updating = replacing or updating
        """Whether what goes on from a stored conversation takes its place."""
        self._groups: dict[str, Group] = {}
        self._group_of: dict[str, str] = {}
        """The name of each source's group."""
        self._kept: dict[int, Group] = {}
        """Of an import that replaces: what it found in its place or put there, and whose that is. It stays there."""
        self._replaced: set[str] = set()
        self._tried: dict[str, int] = {}
        """Up to where numbers were found taken, by the name that they are added to."""
        self._claimed: dict[tuple[str, str | None], dict[int, int]] = {}
        """Of a model and suite: up to which number all were taken from one on, when that was last looked for."""
        self._labels = Labels(intake.writer, self._sources)
        self.said: dict[str, None] = {}

    def begin_source(self, source_id: int, path: str = "", name: str = "", label: str | None = None) -> None:
        """Start on a source; `label` is the part of its path that an earlier import noted."""
        self._writer.places.begin_source(source_id, self._intake.import_id)
        self._labels.begin_source(source_id, label)
        self._sources[path] = name or path
        self._tried.clear()
        self.said.clear()

    def forget(self, source: str, rowids: Iterable[int]) -> None:
        """Forget a source whose conversations were taken out again."""
        self._claimed.clear()
        for rowid in rowids:
            self._kept.pop(rowid, None)
        for group in self._groups.values():
            for sharing in group.shared.values():
                sharing.discard(source)

    def place(
        self,
        item: Conversation,
        source: str,
        source_id: int,
        group: str,
        position: str,
        whole: bool = False,
        before: Conversation | None = None,
    ) -> FiledConversation:
        """File one conversation: store it, or find that it is known or that its reference is taken.

        `whole` says that the source is a run of its own, so that it shares a number with no other of the same suite.
        """
        of = self._groups.setdefault(group, Group(group))
        of.sources.add(source)
        self._group_of[source] = group
        digest = conversation_digest(item.messages, compact)
        return self._place(Newcomer(item, digest, of, source, source_id, position, whole, before))

    def _place(self, new: Newcomer) -> FiledConversation:
        item = self._labels.applied(new.item, new.source)
        if item is not new.item:
            self._say(f"filed under {item.model}: the path tells it from others of {new.item.model}")
            new = new._replace(item=item)
        copy = self._known(new)
        if new.whole and (copy is None or not copy.surely) and (apart := self._claim(new)) is not None:
            return apart
        if copy is not None and not copy.surely and self._is_of_another_run(copy, new):
            speaks = new.item.messages and new.stated in new.group.shared
            return self._own_run(new) if speaks else self._stored(new)
        if copy is not None and (copy.surely or new.stated not in new.group.own):
            return self._already(copy, new)
        same_bytes = new.row in self._writer.sources.unchanged
        if same_bytes and (before := self._writer.places.read_before(new.position, item, new.digest)) is not None:
            return self._read_anew(new, before)
        related = self._relatives(new)
        if related.before is not None:
            return self._continued(new, related.before)
        if related.behind is not None:
            self._say(f"{related.behind.ref} is stored already, and goes on where this ends")
            return FiledConversation(FilingResult.UNCHANGED, related.behind.number, related.behind.ref, item.model)
        return self._stored(new, related.forks)

    def _relatives(self, new: Newcomer) -> Relatives:
        for item in (new.item, new.before):
            if item is not None and item.id:
                related = relatives(self._writer, item, short_ref(item.model, item.id))
                if related != Relatives():
                    return related
        return Relatives()

    def _read_anew(self, new: Newcomer, stored: Namesake) -> FiledConversation:
        """Put a conversation in the place of what the same bytes were read as before, or report that they differ."""
        if self._replacing:
            return self._in_place_of(new, stored)
        if stored.number is not None:
            new.group.numbers.setdefault(new.stated, stored.number)
        self._say("it was stored as other words than are read from it now; --replace takes these, and tags stay")
        return FiledConversation(FilingResult.UNCHANGED, stored.number, stored.ref, new.item.model)

    def _continued(self, new: Newcomer, stored: Namesake) -> FiledConversation:
        """Put a conversation in the place of the one that it goes on from, or report it where nobody asked for that."""
        if self._updating:
            return self._in_place_of(new, stored)
        if stored.number is not None:
            new.group.numbers.setdefault(new.stated, stored.number)
        self._say(f"{stored.ref} goes on here, from {stored.messages:,} messages to {len(new.item.messages):,}")
        return FiledConversation(FilingResult.CONTINUED, stored.number, stored.ref, new.item.model)

    def _in_place_of(self, new: Newcomer, stored: Namesake) -> FiledConversation:
        item = replace(new.item, case=stored.case, run=stored.number)
        if stored.number is not None:
            new.group.numbers.setdefault(new.stated, stored.number)
        self._writer.delete([stored.rowid])
        self._replaced.add(stored.ref)
        rowid = self._intake.add(item, new.row, new.position, new.item.run, stored.ref, new.digest)
        self._kept[rowid] = new.group
        return FiledConversation(FilingResult.REPLACED, stored.number, stored.ref, item.model)

    def _is_of_another_run(self, copy: Copy, new: Newcomer) -> bool:
        """True if a copy is in another run than the one in which the cases before it were filed or known."""
        given = new.group.numbers.get(new.stated, None if new.item.messages else new.item.run)
        apart = given is not None and copy.number not in (None, given)
        return apart and new.stated not in new.group.own and not self._replacing

    def _own_run(self, new: Newcomer) -> FiledConversation:
        """Cases of two stored runs are in it, so it is neither: read it once more, as a run of its own."""
        group, given = new.group, new.group.numbers[new.stated]
        self._renumber(group, new.stated, given, self._writer.places.next_number(new.item.model))
        del group.shared[new.stated]
        return self._once_more(new.item, group.sources)

    def given(self, model: str, stated: int | None, group: str) -> tuple[str, int | None]:
        """The model and the number under which a group's run is filed."""
        of = self._groups.get(group)
        if of is None:
            return model, stated
        model = of.labelled.get(model, model)
        return model, of.numbers.get((model, stated), stated)

    # -- what is stored already --------------------------------------------------------------------------------------

    def _known(self, new: Newcomer) -> Copy | None:
        """The stored copy that this conversation matches, each copy used once per source."""
        item = new.item
        in_run = item.case is not None and item.run is not None and new.stated not in new.group.own
        copy = self._copy_of(item, new.digest, in_run)
        return self._copy_of(new.before, new.digest, False) if copy is None and new.before is not None else copy

    def _copy_of(self, item: Conversation, digest: str, in_run: bool) -> Copy | None:
        wanted = CopyQuery(item.model, item.case, digest, item.id, item.run, in_run, not item.messages)
        if item.case is None and item.id:
            ref, longer = _refs(item, digest, item.id)
            wanted = wanted._replace(ref=ref, longer=longer)
        return self._writer.places.next_copy(wanted)

    def _already(self, copy: Copy, new: Newcomer) -> FiledConversation:
        """Add what this copy has more to the conversation that is stored already."""
        if not copy.surely:
            new.group.shared.setdefault(new.stated, set()).add(new.source)
        if copy.number is not None and new.item.messages:
            new.group.numbers.setdefault(new.stated, copy.number)
        if self._replacing:
            self._kept[copy.rowid] = new.group
        changed, contradictions = self._writer.updates.merge(
            copy.rowid, new.item, self._intake.import_id, new.row, self._replacing
        )
        for said in contradictions:
            self._say(f"{copy.ref}: {said}; --replace takes what is said here")
        return FiledConversation(
            FilingResult.UPDATED if changed else FilingResult.UNCHANGED, copy.number, copy.ref, new.item.model
        )

    # -- a place for what is not -------------------------------------------------------------------------------------

    def _stored(self, new: Newcomer, forks: frozenset[int] = frozenset()) -> FiledConversation:
        item = new.item
        if item.case is None:
            outcome, numbered, ref = self._identified(new, forks)
        else:
            given = new.group.numbers.get(new.stated, 1 if item.run is None else item.run)
            numbered = item if item.run == given else replace(item, run=given)
            ref = _ref(numbered)
            taken = self._writer.places.at(ref)
            if taken is not None:
                other = self._taken(taken, ref, new, numbered)
                if isinstance(other, FiledConversation):
                    return other
                outcome, numbered, ref = other
            else:
                outcome = FilingResult.REPLACED if ref in self._replaced else FilingResult.NEW
                new.group.numbers.setdefault(new.stated, given)
        if told := new.group.told.get(new.stated):
            self._say(told)
        rowid = self._intake.add(numbered, new.row, new.position, item.run, ref, new.digest)
        if outcome is FilingResult.REPLACED:
            self._kept[rowid] = new.group
        return FiledConversation(outcome, numbered.run, ref, item.model)

    def _taken(self, taken: Occupant, ref: str, new: Newcomer, numbered: Conversation) -> FiledConversation | Free:
        """Decide what to do when another conversation has the reference."""
        ours, keeper = taken.import_id == self._intake.import_id, self._kept.get(taken.rowid)
        if keeper is new.group or (ours and taken.source in new.group.sources):
            return self._repeat(numbered)
        if self._replacing and not ours and keeper is None:
            if taken.digest == new.digest:
                return self._already(Copy(taken.rowid, ref, taken.number, True), new)
            self._writer.delete([taken.rowid])
            self._replaced.add(ref)
            new.group.numbers.setdefault(new.stated, numbered.run or 0)
            return FilingResult.REPLACED, numbered, ref
        if keeper or (taken.source in self._sources and taken.source not in new.group.sources):
            return self._other_run(new, taken)
        return FiledConversation(
            FilingResult.CLASH, numbered.run, ref, new.item.model, equal=taken.digest == new.digest
        )

    def _other_run(self, new: Newcomer, taken: Occupant) -> FiledConversation | Free:
        """Make way for another source of this command: as another configuration, or with the next number."""
        item, group = new.item, new.group
        if (folder := self._labels.tell_apart(item.model, new.source, taken.source)) is not None:
            return self._part(new, folder)
        given = group.numbers.get(new.stated, 1 if item.run is None else item.run)
        number = self._writer.places.next_number(item.model)
        self._renumber(group, new.stated, given, number)
        shared = group.shared.pop(new.stated, set())
        for rowid, case in self._writer.places.of_run(item.model, given, group.sources):
            if rowid not in self._kept:
                self._writer.move(rowid, conversation_ref(item.model, case, number), item.model, number)
        if shared and not self._replacing:
            return self._once_more(item, {*shared, new.source})
        numbered = replace(item, run=number)
        return FilingResult.NEW, numbered, _ref(numbered)

    def _part(self, new: Newcomer, folder: names.Folder) -> FiledConversation:
        """From now on, label the files of a model below this folder, including those that were read before."""
        model = new.item.model
        sources = {*self._writer.places.sources_of(model, self._labels.below(folder)), new.source}
        group_names = {self._group_of[each] for each in sources if each in self._group_of}
        groups = [self._groups[name] for name in group_names]
        shared = self._replacing or any(group.shared for group in groups)
        apart = None if shared else self._labels.put_on_stored(model, folder)
        if apart is None:
            return self._once_more(new.item, sources)
        self._claimed.clear()
        for group in groups:
            group.take_label(model, next((apart[each] for each in group.sources if each in apart), None))
        return self._place(new)

    def _once_more(self, item: Conversation, sources: set[str]) -> FiledConversation:
        return FiledConversation(FilingResult.AGAIN, item.run, "", item.model, frozenset(sources))

    def _claim(self, new: Newcomer) -> FiledConversation | None:
        """Give a source that is a run of its own a number under which no other source has cases of the suite.

        Where it is another configuration than the one that has the number, that is what it becomes instead.
        """
        item, group = new.item, new.group
        if item.case is None or new.stated in group.numbers:
            return None
        number = wanted = 1 if item.run is None else item.run
        suite = item.facts.suite if item.facts else None
        others = self._writer.places.holders(item.model, suite, number) - group.sources
        if others and not others & self._sources.keys():
            self._say(f"joins run {number} of {item.model}, begun by {min(others)}; if it is another run, say --run N")
        for other in sorted(others & self._sources.keys()):
            if (folder := self._labels.tell_apart(item.model, new.source, other)) is not None:
                return self._part(new, folder)
        given = {given for (model, _), given in group.numbers.items() if model == item.model}
        if number in given or others & self._sources.keys():
            number = self._free_after(wanted, item.model, suite, group, given)
        if number != wanted:
            self._renumber(group, new.stated, wanted, number)
        group.numbers[new.stated] = number
        return None

    def _free_after(self, number: int, model: str, suite: str | None, group: Group, given: set[int]) -> int:
        """The next number under which no other source of this command has cases of the suite, nor this one others."""
        claimed = self._claimed.setdefault((model, suite), {})
        passed: list[int] = []
        taken = True
        while taken:
            passed.append(number)
            number = claimed.get(number, number) + 1
            holders = self._writer.places.holders(model, suite, number) - group.sources
            taken = number in claimed or number in given or bool(holders & self._sources.keys())
        claimed |= dict.fromkeys((*passed, number), number)
        return number

    def _renumber(self, group: Group, stated: tuple[str, int | None], given: int, number: int) -> None:
        group.numbers[stated] = number
        group.own.add(stated)
        group.told[stated] = f"run {given} of {stated[0]} is another file's: {group.name} became run {number}"

    def _repeat(self, item: Conversation) -> Free:
        """File a case that comes twice in one run of a source under the next run that lacks it."""
        number = self._first_free(_ref(item), item.run or 0, lambda n: _ref(replace(item, run=n)))
        self._say(f"{item.case} of {item.model} stands there more than once: counted as further runs")
        again = replace(item, run=number)
        return FilingResult.NEW, again, _ref(again)

    # -- conversations without a case --------------------------------------------------------------------------------

    def _identified(self, new: Newcomer, forks: frozenset[int]) -> Free:
        """Name a conversation without a case: by its identifier, else by its file and position."""
        item = new.item
        key = item.id or names.identifier(new.source, new.position)
        ref, longer = _refs(item, new.digest, key)
        taken = self._writer.places.at(ref)
        if taken is None:
            return FilingResult.REPLACED if ref in self._replaced else FilingResult.NEW, item, ref
        fork = taken.rowid in forks and taken.source != new.source
        if (
            self._replacing
            and item.id
            and not fork
            and taken.import_id != self._intake.import_id
            and taken.rowid not in self._kept
        ):
            self._writer.delete([taken.rowid])
            self._replaced.add(ref)
            return FilingResult.REPLACED, item, ref
        if self._writer.places.at(longer) is None:
            return FilingResult.NEW, item, longer
        end = _end(new.digest)
        number = self._first_free(longer, 2, lambda n: short_ref(item.model, key, f"{end}-{n}"))
        return FilingResult.NEW, item, short_ref(item.model, key, f"{end}-{number}")

    def _first_free(self, name: str, first: int, ref: Callable[[int], str]) -> int:
        """The first number that is free; found quickly even if a source holds the same name thousands of times."""
        number = self._tried.get(name, first)
        while self._writer.places.at(ref(number)) is not None:
            number += 1
        self._tried[name] = number
        return number

    def _say(self, text: str) -> None:
        self.said[text] = None


def _ref(item: Conversation) -> str:
    return conversation_ref(item.model, item.case, item.run, item.id)


def _refs(item: Conversation, digest: str, key: str) -> tuple[str, str]:
    """Return the reference for a conversation without a case, and the one to use where that is taken."""
    return short_ref(item.model, key), short_ref(item.model, key, _end(digest))


def _end(digest: str) -> str:
    return f"-{digest[:8]}"

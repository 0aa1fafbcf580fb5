"""The world of a desk: `records/TABLE.toml`, whose tables are the records and whose keys are their ids.

[K7RQ2M]
status = "ticketed"
passengers = ["Marta Quill"]
"""

from __future__ import annotations

from typing import Any

from reviewer.benchmark.desks.folder_files import FolderFiles
from reviewer.benchmark.desks.tool_answers import Records

HINT = 'A record is a table under its id: ["#1001"], then a line a field.'


def records_in(files: FolderFiles) -> Records:
    """All records of a folder, by the name of the file and the id."""
    tables: dict[str, dict[str, Any]] = {}
    for path in files.several("records"):
        read = files.table(path) or {}
        tables[path.stem] = {id: record for id, record in read.items() if isinstance(record, dict)}
        for id in sorted(read.keys() - tables[path.stem].keys()):
            files.wrong(str(path), f"“{id}” stands in no record", HINT)
        if "id" in {field for record in tables[path.stem].values() for field in record}:
            files.wrong(str(path), "a record has a field “id”, which its key is", "Call the field otherwise.")
    return tables

"""The catalogues of messages: taken from the source, merged with their translations, compiled.

``PYTHONPATH=tests python -m support.catalogues`` writes them; the tests compare.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tarneeb_client.language import CATALOGUES, DOMAIN, LANGUAGES
from tarneeb_engine.variants import VARIANTS

SOURCE = CATALOGUES.parent
KEYWORDS: dict[str, tuple[int | tuple[int, int] | tuple[int, str], ...] | None] = {
    "_": None,
    "N_": None,
    "plural": (1, 2),
    "in_context": ((1, "c"), 2),
}
PASSING = tuple(
    f'"{field}'
    for field in (
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Generated-By",
        "Last-Translator",
        "Language-Team",
        "Report-Msgid-Bugs-To",
        "Project-Id-Version",
    )
)
"""Lines of the header that change by themselves, or tell nothing."""
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")


def po_path(language: str) -> Path:
    """The file that a translator works on."""
    return CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def template() -> Catalog:
    """Every message of the source, with the files that have it."""
    catalogue = Catalog(project="Tarneeb", version="", charset="utf-8", fuzzy=False)
    found = extract_from_dir(SOURCE, method_map=[("**.py", "python")], keywords=KEYWORDS)
    for name, _line, message, _comments, context in found:
        # Files without lines: a line would change with every edit.
        catalogue.add(message, locations=[(name, 0)], context=context)
    for variant in VARIANTS.values():
        for text in (variant.name, variant.differs):
            catalogue.add(text, locations=[(f"variants/{variant.word}.toml", 0)])
    return catalogue


def merged(language: str) -> Catalog:
    """The catalogue as it should be: every message of the source, with the translation that there is."""
    path = po_path(language)
    if path.exists():
        with path.open("rb") as stream:
            catalogue = read_po(stream, locale=language)
    else:
        catalogue = Catalog(locale=language, project="Tarneeb", version="", charset="utf-8", fuzzy=False)
    catalogue.update(template(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    catalogue.header_comment = f"# Tarneeb in the language {language}."
    return catalogue


def po_text(catalogue: Catalog) -> str:
    """The catalogue as a translator sees it, sorted so that two changes seldom meet."""
    written = io.BytesIO()
    write_po(written, catalogue, sort_output=True, omit_header=False, include_lineno=False, width=100)
    lines = written.getvalue().decode("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(PASSING))


def mo_bytes(catalogue: Catalog) -> bytes:
    """The catalogue as the program reads it."""
    # What read_po puts in where the text has no date: the moment itself, so that no two would be alike.
    catalogue.creation_date = catalogue.revision_date = NO_DATE
    written = io.BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def untranslated(catalogue: Catalog) -> Iterator[str]:
    """Messages without a translation, or with one that is only guessed."""
    for message in catalogue:
        if not message.id:
            continue
        strings = (message.string,) if isinstance(message.string, str) else message.string or ("",)
        if message.fuzzy or not all(strings):
            yield str(message.id)


def main() -> None:
    """Write every catalogue, and say what is not translated."""
    for language in TRANSLATED:
        path = po_path(language)
        catalogue = merged(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(po_text(catalogue), encoding="utf-8")
        with path.open("rb") as stream:
            path.with_suffix(".mo").write_bytes(mo_bytes(read_po(stream, locale=language)))
        missing = list(untranslated(catalogue))
        print(f"{language}: {len(catalogue)} messages, {len(missing)} not translated")  # noqa: T201  (a tool)
        for each in missing:
            print("  ", each)  # noqa: T201


if __name__ == "__main__":
    main()

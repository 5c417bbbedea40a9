"""The templates of what is written: sources, Markdown, SVG."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def templates(folder: Path) -> Environment:
    """Return a folder's templates. An unknown name is an error; nothing is escaped by itself."""
    return Environment(  # noqa: S701 of our own texts
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        comment_start_string="{##",  # `{#` begins the id of a heading in Markdown
    )

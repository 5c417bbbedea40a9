"""`make docs`: write the site. Each thing that is wrong with it is a line on stderr."""

import logging
import os
import sys
import warnings
from argparse import ArgumentParser
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

from tools.site.search import split_index

CONFIG = Path(__file__).parents[2] / "docs" / "mkdocs.yml"


class _Complaints(logging.Handler):
    """Keeps what MkDocs warns of, a line each."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.lines.append(" ".join(record.getMessage().split()))


def write_site(config_file: str, target: str | None) -> list[str]:
    """Write the site into a folder, or where its configuration says; give what is wrong with it."""
    complaints = _Complaints()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(complaints)
    warnings.simplefilter("ignore", SyntaxWarning)  # of jieba's regular expressions
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # a version that this site does not use
    try:
        config = load_config(config_file, **({} if target is None else {"site_dir": target}))
        logging.getLogger("jieba").setLevel(logging.WARNING)
        build(config)
        split_index(Path(config.site_dir))
    except MkDocsException as error:
        return complaints.lines or [" ".join(str(error).split())]
    except Exception:
        if not complaints.lines:
            raise
    finally:
        logger.removeHandler(complaints)
    return complaints.lines


def main() -> int:
    """Write the site; exit status 1 where something is wrong."""
    parser = ArgumentParser(prog="python -m tools.site")
    parser.add_argument("--config-file", default=str(CONFIG))
    parser.add_argument("--site-dir")
    given = parser.parse_args()
    wrong = write_site(given.config_file, given.site_dir)
    for line in wrong:
        print(f"docs: {line}", file=sys.stderr)  # noqa: T201 - a command
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

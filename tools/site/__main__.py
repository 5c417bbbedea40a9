"""`make docs`: write the site. Each problem is a line on stderr."""

import logging
import os
import sys
import warnings
from argparse import ArgumentParser
from logging.handlers import BufferingHandler
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

from tools.site.search import split_index

CONFIG = Path(__file__).parents[2] / "docs" / "mkdocs.yml"


def write_site(config_file: str, target: str | None) -> list[str]:
    """Write the site to a folder, by default to its configuration's. Return the problems."""
    collected = BufferingHandler(sys.maxsize)
    collected.setLevel(logging.WARNING)
    logger = logging.getLogger("mkdocs")
    logger.addHandler(collected)
    warnings.simplefilter("ignore", SyntaxWarning)  # of jieba's regular expressions
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # advertises a version that this site does not use
    try:
        config = load_config(config_file, **({} if target is None else {"site_dir": target}))
        logging.getLogger("jieba").setLevel(logging.WARNING)
        build(config)
        split_index(Path(config.site_dir))
    except MkDocsException as error:
        if not collected.buffer:
            return [" ".join(str(error).split())]
    except Exception:
        if not collected.buffer:
            raise
    finally:
        logger.removeHandler(collected)
    return [" ".join(record.getMessage().split()) for record in collected.buffer]


def main() -> int:
    """Write the site. Return exit status 1 if there is a problem."""
    parser = ArgumentParser(prog="python -m tools.site")
    parser.add_argument("--config-file", default=str(CONFIG))
    parser.add_argument("--site-dir")
    given = parser.parse_args()
    problems = write_site(given.config_file, given.site_dir)
    for line in problems:
        print(f"docs: {line}", file=sys.stderr)  # noqa: T201 - a command
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

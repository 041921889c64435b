"""The command ``splendor-nb``, also ``python -m splendor_nb``."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from splendor_nb import __version__, launcher


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Parameters
    ----------
    arguments
        Those of the command line; taken from there if None.
    """
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except launcher.LaunchError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    """Return the parser; each command sets ``run``, and without one JupyterLab starts."""
    parser = argparse.ArgumentParser(
        prog="splendor-nb",
        description="Copy the notebooks to a folder of yours and open JupyterLab there.",
    )
    parser.set_defaults(run=_start_jupyterlab)
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("splendor-notebooks"),
        help="where your notebooks are (default: %(default)s)",
    )
    parser.add_argument(
        "--notebook",
        metavar="NAME",
        default="01_play.ipynb",
        help="the notebook to open (default: %(default)s)",
    )
    parser.add_argument("--port", help="the port to use (default: a free one)")
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address without opening it"
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def _start_jupyterlab(options: argparse.Namespace) -> None:
    launcher.check_jupyterlab()
    port = None if options.port is None else launcher.check_port(options.port)
    shipped = launcher.notebooks_folder()
    names = {*launcher.notebook_names(shipped), *launcher.notebook_names(options.folder)}
    notebook = launcher.find_notebook(options.notebook, sorted(names))
    _report(options.folder, launcher.copy_notebooks(shipped, options.folder))
    with contextlib.suppress(KeyboardInterrupt):
        launcher.run_lab(options.folder, notebook, port=port, open_browser=not options.no_browser)


def _report(folder: Path, copied: launcher.Copied) -> None:
    print(f"Notebooks:  {folder.resolve()}")
    for what, names in zip(("New", "Updated"), copied, strict=False):
        if names:
            print(f"{what}: {', '.join(names)}")
    if copied.kept:
        print(f"Kept as you changed them: {', '.join(copied.kept)}")


if __name__ == "__main__":
    sys.exit(main())

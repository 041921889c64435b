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
        code: int | None = options.run(options)
    except options.refusals as error:
        print(error, file=sys.stderr)
        return 2
    return code or 0


def _parser() -> argparse.ArgumentParser:
    """Return the parser; each command sets ``run``, and without one JupyterLab starts."""
    parser = argparse.ArgumentParser(
        prog="splendor-nb",
        description="Copy the notebooks to a folder of yours and open JupyterLab there.",
    )
    parser.set_defaults(run=_start_jupyterlab, refusals=launcher.LaunchError)
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
    commands = parser.add_subparsers(title="other commands", metavar="COMMAND")
    _add_contest(commands.add_parser("contest", help="let the agents of a folder play each other"))
    _add_qualify(commands.add_parser("qualify", help="test an agent before it is handed in"))
    return parser


def _add_contest(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Let the agents of a folder play each other, each in a process of its own, and write "
        "standings, faults, saved games and a page into another folder. The same command goes on "
        "where it was interrupted, and plays anew what files that have changed had played."
    )
    parser.set_defaults(run=_hold_contest, refusals=ValueError)
    add = parser.add_argument
    add("agents", type=Path, metavar="FOLDER", help="the folder with a .py file for each agent")
    add("--out", type=Path, metavar="FOLDER", help="the folder of the result (FOLDER-contest)")
    add("--players", type=int, default=2, metavar="N", help="seats at a table: 2, 3 or 4 (2)")
    add("--games", type=int, default=20, metavar="N", help="games of each group that meets (20)")
    add("--swiss", type=int, metavar="ROUNDS", help="rounds among equals, not all against all")
    add("--finals", type=int, metavar="N", help="let the best N play each other again")
    add("--seed", type=int, metavar="N", help="the same seed gives the same contest (drawn)")
    add(
        "--beginners",
        action="store_true",
        help="let a random action take the place of a fault, up to the third in a game",
    )
    add(
        "--references",
        nargs="*",
        metavar="NAME",
        help="agents of the kit that join in (random greedy)",
    )
    add("--rules", default="standard", metavar="NAME", help="the rule set (%(default)s)")
    add("--target", type=int, metavar="POINTS", help="points that end a game")
    add("--move-seconds", type=float, default=1, metavar="S", help="for an action (1)")
    add("--first-move-seconds", type=float, default=10, metavar="S", help="for the first one (10)")
    add("--game-seconds", type=float, default=60, metavar="S", help="for a whole game (60)")
    add("--memory", type=int, default=2048, metavar="MB", help="for a process (2048)")
    add("--workers", type=int, metavar="N", help="games at the same time (the number of cores)")


def _add_qualify(parser: argparse.ArgumentParser) -> None:
    parser.description = "Test an agent as a contest would; the exit code is 0 if it is fit for it."
    parser.set_defaults(run=_qualify, refusals=ValueError)
    parser.add_argument("agent", type=Path, metavar="FILE", help="a .py file with an agent")


def _start_jupyterlab(options: argparse.Namespace) -> None:
    launcher.check_jupyterlab()
    port = None if options.port is None else launcher.check_port(options.port)
    shipped = launcher.notebooks_folder()
    names = {*launcher.notebook_names(shipped), *launcher.notebook_names(options.folder)}
    notebook = launcher.find_notebook(options.notebook, sorted(names))
    _report(options.folder, launcher.copy_notebooks(shipped, options.folder))
    with contextlib.suppress(KeyboardInterrupt):
        launcher.run_lab(options.folder, notebook, port=port, open_browser=not options.no_browser)


def _hold_contest(options: argparse.Namespace) -> int:
    from splendor_nb.charts.pages import write_contest_page
    from splendor_nb.games.contest import contest
    from splendor_nb.games.sandbox import Limits

    chosen = {"references": options.references, "target": options.target}
    try:
        result = contest(
            options.agents,
            games=options.games,
            seed=options.seed,
            players=options.players,
            swiss=options.swiss,
            finals=options.finals,
            beginners=options.beginners,
            limits=Limits(
                move_s=options.move_seconds,
                first_move_s=options.first_move_seconds,
                game_s=options.game_seconds,
                memory_mb=options.memory,
            ),
            path=options.out,
            workers=options.workers,
            rules=options.rules,
            **{name: value for name, value in chosen.items() if value is not None},
        )
    except KeyboardInterrupt:
        print("Interrupted. What was finished is kept: the same command goes on.", file=sys.stderr)
        return 130
    for file, reason in result.refused.items():
        print(f"{file} cannot take part: {reason}")
    for stage in [None, *(["final"] if "final" in result.stages else [])]:
        print("Standings:" if stage is None else "Final:")
        columns = ["rank", "name", "games", "win_rate", "low", "high", "faults"]
        table = result.standings(stage)[columns]
        print(table.to_string(index=False, float_format="{:.3f}".format))
    print(f"Page: {write_contest_page(result)}")
    return 0


def _qualify(options: argparse.Namespace) -> int:
    from splendor_nb.games.qualify import qualify

    result = qualify(options.agent)
    print(result)
    return 0 if result.passed else 1


def _report(folder: Path, copied: launcher.Copied) -> None:
    print(f"Notebooks:  {folder.resolve()}")
    for what, names in zip(("New", "Updated"), copied, strict=False):
        if names:
            print(f"{what}: {', '.join(names)}")
    if copied.kept:
        print(f"Kept as you changed them: {', '.join(copied.kept)}")


if __name__ == "__main__":
    sys.exit(main())

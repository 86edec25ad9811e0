"""Executes a notebook by nbclient, as Jupyter's own tools do: run-nbclient.py NOTEBOOK RESULT [TIMEOUT].

The kernel is ours, found by JUPYTER_DATA_DIR. The result is written also when a cell fails; the
exit code is then 1.
"""

import pathlib
import sys

import nbclient
import nbformat


def main(source, result, timeout="120"):
    path = pathlib.Path(source)
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook,
        timeout=int(timeout),
        kernel_name="madrigal",
        record_timing=False,
        # In which pieces a stream comes depends on the clock.
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except nbclient.exceptions.CellExecutionError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        nbformat.write(notebook, result)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

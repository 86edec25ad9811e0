"""Runs the code of %%python cells in one process: a request is a line of JSON on stdin, its answer one on descriptor 3."""
import ast
import json
import os
import signal
import sys
import threading
import time
import traceback

answers = os.fdopen(3, "w", buffering=1, encoding="utf-8")
requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
# What a cell reads from stdin is empty, and not the next request.
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(line_buffering=True)
names = {"__name__": "__main__"}


def end_with(parent):
    """Ends this process and what it started once the kernel is gone, also in the middle of a cell."""
    while os.getppid() == parent:
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()


def load(table):
    """The rows as a table of pandas, polars or pyarrow, whichever there is; else as a list of dicts."""
    path = table["parquet"]
    try:
        import pandas
        return pandas.read_parquet(path)
    except ImportError:
        pass
    try:
        import polars
        return polars.read_parquet(path)
    except ImportError:
        pass
    try:
        import pyarrow.parquet
        return pyarrow.parquet.read_table(path)
    except ImportError:
        pass
    with open(table["json"], encoding="utf-8") as file:
        return json.load(file)


def save(value, folder):
    """Writes a table, or a list of dicts, and returns the path."""
    path = os.path.join(folder, "saved.parquet")
    for name in ("write_parquet", "to_parquet"):
        if hasattr(value, name):
            getattr(value, name)(path)
            return path
    if type(value).__module__.split(".")[0] == "pyarrow":
        import pyarrow.parquet
        pyarrow.parquet.write_table(value, path)
        return path
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise TypeError(f"--save takes a table or a list of dicts, and no {type(value).__name__} like this")
    path = os.path.join(folder, "saved.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, default=str)
    return path


def bundle(value):
    """What is shown of the last expression."""
    if value is None:
        return None
    data = {"text/plain": repr(value)}
    html = getattr(value, "_repr_html_", None)
    if callable(html) and not isinstance(value, type):
        made = html()
        if isinstance(made, str):
            data["text/html"] = made
    return data


def run(request):
    for name, table in request["tables"].items():
        names[name] = load(table)
    tree = ast.parse(request["code"], request["cell"])
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, request["cell"], "exec"), names)
    value = None
    if last is not None:
        value = eval(compile(ast.Expression(last.value), request["cell"], "eval"), names)
    answer = {"data": bundle(value)}
    saved = request.get("save")
    if saved is not None:
        if saved not in names:
            raise NameError(f"name '{saved}' is not defined, and --save {saved} wants its rows")
        answer["saved"] = save(names[saved], request["folder"])
    return answer


def fault(request):
    """The error without the frames of this file, each line of the cell with its text."""
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    lines = traceback.format_exception(kind, error, trace)
    return {"name": kind.__name__, "message": str(error), "text": "".join(lines)}


for line in requests:
    request = json.loads(line)
    # Tracebacks show lines of cells by this.
    import linecache
    code = request["code"]
    linecache.cache[request["cell"]] = (len(code), None, code.splitlines(True), request["cell"])
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        answer = run(request)
    except BaseException:
        answer = {"error": fault(request)}
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout.flush()
    sys.stderr.flush()
    answers.write(json.dumps(answer) + "\n")

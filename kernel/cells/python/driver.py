"""Runs the code of %%python cells in one process: a request is a line of JSON on stdin, its answer one on descriptor 3."""
import ast
import json
import linecache
import os
import signal
import sys
import threading
import time
import traceback

import tables_of_cells

# Modules beside the notebook are found, and those of this folder are not.
sys.path[0] = ""
OWN_FILES = (__file__, tables_of_cells.__file__)

answers = os.fdopen(3, "w", buffering=1, encoding="utf-8")
requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
# The streams that the kernel reads, whatever a cell does to its own.
outputs = (os.dup(1), os.dup(2))
# What a cell reads from stdin is empty, and not the next request.
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(line_buffering=True)
names = {"__name__": "__main__"}
is_interruptible = False


def end_with(parent):
    """Ends this process and what it started once the kernel is gone, also in the middle of a cell."""
    while os.getppid() == parent:
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()


def interrupt(_number, _frame):
    """An interrupt that comes when the cell is over already does nothing."""
    if is_interruptible:
        raise KeyboardInterrupt


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


def follow_kernel(request):
    """Takes over what `%env` and `%cd` have changed since the request before."""
    for name, value in request.get("env", {}).items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    if "cwd" in request:
        os.chdir(request["cwd"])


def run(request):
    follow_kernel(request)
    for name, files in request["tables"].items():
        names[name] = tables_of_cells.load(files)
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
        answer["saved"] = tables_of_cells.save(names[saved], request["folder"])
    return answer


def fault():
    """The error without the frames of our own files, each line of the cell with its text."""
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename in OWN_FILES:
        trace = trace.tb_next
    lines = traceback.format_exception(kind, error, trace)
    return {"name": kind.__name__, "message": str(error), "text": "".join(lines)}


def end_output(mark):
    """Writes behind the output of a cell that it is over."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            # The cell has closed or replaced it.
            pass
    for output in outputs:
        os.write(output, mark.encode())


for line in requests:
    request = json.loads(line)
    # Tracebacks show lines of cells by this.
    code = request["code"]
    linecache.cache[request["cell"]] = (len(code), None, code.splitlines(True), request["cell"])
    signal.signal(signal.SIGINT, interrupt)
    try:
        is_interruptible = True
        answer = run(request)
        is_interruptible = False
    except BaseException:
        is_interruptible = False
        answer = {"error": fault()}
    end_output(request["mark"])
    answers.write(json.dumps(answer) + "\n")

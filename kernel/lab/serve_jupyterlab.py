"""Runs JupyterLab, and ends it in order once the process that started it is gone: killed, that one can't do so itself.

python serve_jupyterlab.py PID [ARGUMENT ...]: the arguments are JupyterLab's own.
"""

import os
import runpy
import signal
import sys
import threading
import time

PERIOD_S = 1


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(PERIOD_S)
    os.kill(os.getpid(), signal.SIGTERM)


threading.Thread(target=end_with, args=(int(sys.argv.pop(1)),), daemon=True).start()
# As of `python -m`: our own folder has nothing to import.
sys.path[0] = os.getcwd()
runpy.run_module("jupyterlab", run_name="__main__", alter_sys=True)

import type { CodePage } from "./page.ts";

export const kernelLab = {
  // ── 770: notebooks ────────────────────────────────────────────────────────────────────────────
  M7701: {
    title: "the file is no notebook",
    why: "A notebook (`.ipynb`) is JSON of the format nbformat 4.0 to 4.5, with a list of cells. The message says where this one is not. A merge of two versions often leaves `<<<<<<<` lines in it; an older or newer format is converted by opening and saving it in JupyterLab.",
  },
  M7702: {
    title: "the notebook is for another kernel",
    why: "Its metadata names another kernel or another language than TypeScript. `madrigal exec` runs cells in the kernel of Madrigal only; choose that kernel in JupyterLab and save, or use the tool of the other language.",
  },
  M7703: {
    title: "a cell of the notebook failed",
    why: "The cells behind it were not run. The notebook is written all the same, with the error in the output of its cell. A cell that is meant to fail has the tag `raises-exception`.",
  },
  M7704: {
    title: "a cell took too long",
    why: "`--timeout` limits the seconds of each cell. The cell was interrupted, and the cells behind it were not run; a run that it waited for is paused and can be resumed.",
  },
  M7705: {
    title: "the notebook was interrupted",
    why: "A signal (Ctrl-C) came while a cell was under way. The cell was interrupted, the cells behind it were not run, and what there is was written.",
  },
  // ── 771: the kernel's process ─────────────────────────────────────────────────────────────────
  M7710: {
    title: "the kernel does not start",
    why: "Its process ended, or did not answer, before the first cell. The message holds what it wrote last. `madrigal doctor` looks for the reason.",
  },
  M7711: {
    title: "the kernel ended in the middle of a notebook",
    why: "Its process is gone: killed, out of memory, or broken by a native module. What the cells showed until then was written to the notebook; runs can be resumed.",
  },
  // ── 772: the kernelspec ───────────────────────────────────────────────────────────────────────
  M7720: {
    title: "the kernelspec can't be written",
    why: "`madrigal install` writes `kernels/madrigal/` in Jupyter's data folder: that of the user, the one JUPYTER_DATA_DIR names, or `share/jupyter` below `--prefix`. That folder can't be written.",
  },
  M7721: {
    title: "the folder holds something that is not ours",
    why: "`kernels/madrigal/` has a kernelspec or files that `madrigal install` did not write. They are neither replaced nor removed; look at them, and move them away if you don't need them.",
  },
  // ── 773: Python and JupyterLab ────────────────────────────────────────────────────────────────
  M7730: {
    title: "there is no Python for JupyterLab",
    why: "JupyterLab is a Python program, so `madrigal lab` needs `python3`, 3.10 or newer, on the PATH. The kernel and all other commands work without it.",
  },
  M7731: {
    title: "Python can't make a virtual environment",
    why: "JupyterLab is installed into `.venv`, which the module `venv` of Python makes. On Debian and Ubuntu it is a package of its own: `apt install python3-venv`.",
  },
  M7732: {
    title: "JupyterLab could not be installed",
    why: "`pip` could not install what `kernel/lab/requirements.txt` lists. Its last lines are in the message: is the package registry reachable, is there room on the disk?",
  },
  M7733: {
    title: "`.venv` belongs to somebody else",
    why: "Madrigal installs JupyterLab into a `.venv` that it made itself and leaves every other one alone. Move the folder away, or use a JupyterLab of your own together with `madrigal install`.",
  },
  M7734: {
    title: "somebody else has been installing for too long",
    why: "Another process holds the lock of `.venv`, and it did not come to an end within ten minutes. The message names the process; end it, or delete the lock when there is no such process.",
  },
  M7735: {
    title: "JupyterLab does not start",
    why: "Its server ended, or did not answer, before the page could be opened. The message holds what it wrote last; a port that is taken is the usual reason.",
  },
  // ── 774: doctor ───────────────────────────────────────────────────────────────────────────────
  M7740: {
    title: "something that Madrigal needs is missing or broken",
    why: "`madrigal doctor` looks at Node, the native libraries, the workspace, the kernelspec and a real start of the kernel. Each line that is not `ok` says how to mend it; a `note` is only needed for JupyterLab.",
  },
  // ── 775: papermill, comms ─────────────────────────────────────────────────────────────────────────
  M7750: {
    title: "there is no papermill",
    why: "`madrigal install --papermill` teaches the papermill that is on the PATH, or in the environment that `--prefix` names, to set parameters of our notebooks. It found none there. `madrigal exec --param NAME=VALUE` sets the same parameters without papermill.",
  },
  M7751: {
    title: "papermill's packages can't be written",
    why: "`madrigal install --papermill` puts a package of one file beside papermill, among the packages of its Python. That folder is not yours: a system's Python, or one of another user. Install papermill into a virtual environment.",
  },
  M7752: {
    title: "a comm with this id is open already",
    why: "`comm.open(target, data, { id })` was given the id of a comm that is open. Front ends know comms by their ids, so two of one id would be one. Leave the id out, or close the other comm first. A front end that opens an id twice is told M7407, and the first comm stays.",
  },
} as const satisfies Record<`M77${number}`, CodePage>;

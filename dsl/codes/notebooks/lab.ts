/** Explanations of the error codes M77xx: JupyterLab's setup and notebook files. */
import type { CodePage } from "../page.ts";

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
  M7706: {
    title: "a notebook as text is wrong",
    why: "A file `NAME.madrigal.md` is a notebook without its outputs, as `madrigal text NAME.ipynb` writes it: `<!-- notebook {…} -->` on its first line with the metadata as JSON, and before each cell a line `<!-- cell ID KIND {…} -->`, whose kind is `code`, `markdown` or `raw`. The code of a cell stands in a fence of backquotes, and nothing behind it. The message names the line.",
  },
  M7707: {
    title: "the notebook can't be printed",
    why: "`madrigal exec NB --pdf` writes the page of a notebook as PDF, and `--png` adds a PNG to each drawing. Both are made by an installed Chromium or Chrome, which is looked for on the PATH and in MADRIGAL_BROWSER; nothing is downloaded. There is none, or it ended without a file: the message has its last line.",
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
    why: "`madrigal doctor` looks at Node, the native libraries, the workspace, a real start of the kernel, and what Jupyter has of it. Each line that is not `ok` says how to mend it. A line `wrong` is something that Madrigal can't do without; a `note` is something optional, such as the kernelspec, which only a JupyterLab or VS Code of your own needs.",
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
  // ── 776: the debugger of the page ─────────────────────────────────────────────────────────────────
  M7760: {
    title: "the debugger is not started",
    why: "The page's debugger asked for something before it was started, or after it was turned off. The button with the bug in the notebook's toolbar starts it.",
  },
  M7761: {
    title: "the cell blocks, and the debugger gets no answer",
    why: "Values and expressions are looked up on the thread that runs cells. A loop or a long call of TypeScript keeps it; after two seconds the page is told so. What was told when the run stopped, its frames and scopes, is still shown. Wait for the cell, or stop it with ■; then look again.",
  },
  M7762: {
    title: "nothing is stopped",
    why: "A step, an expression or a command of the Debug Console is about a run that is stopped, and none is. Set a breakpoint in the margin of a graph cell and run the cell that starts the graph, or stop what goes on with ▮▮.",
  },
  M7763: {
    title: "the debugger knows no such frame or variable any more",
    why: "Frames and variables are those of one stop; once the run has gone on, their numbers mean nothing. The panel asks anew at each stop: choose a frame of the current call stack.",
  },
  M7764: {
    title: "a request of the debugger can't be read",
    why: "A `debug_request` lacks what the Debug Adapter Protocol asks for, or has something else in its place. This is a mistake of the front end.",
  },
  M7765: {
    title: "the debugger does not know this request",
    why: "The Debug Adapter Protocol has more requests than notebooks need, and the kernel answers those that JupyterLab sends. Stepping back, edits of the state and conditional breakpoints are lines in the Debug Console: `:help` lists them.",
  },
  M7766: {
    title: "the debugger knows no text of this name",
    why: "A front end asked for the text of a cell or file that was neither told to the debugger nor has been stopped in. Run the cell again.",
  },
  M7767: {
    title: "there is no variable of this name to be shown",
    why: "What was to be shown or copied is no variable of the chosen frame, no change of its last step and no name of the notebook.",
  },
  // ── 777: the debugger on TypeScript ───────────────────────────────────────────────────────────
  M7770: {
    title: "the main thread does not answer the debugger",
    why: "The debugger looks into the main thread by Node's inspector, which answers between any two steps of JavaScript, also in an endless loop. It does not answer within two seconds while one call of native code is under way: a large `JSON.parse`, a regular expression that backtracks, a synchronous file or process call. Try again, or interrupt the cell.",
  },
  M7772: {
    title: "an expression in the debugger throws",
    why: "What is typed into the Debug Console is evaluated in the selected frame, with its variables and the names of all cells; the message is what it threw. An expression that does not end within 1.5 seconds is ended.",
  },
  M7773: {
    title: "this can't be evaluated while a cell is stopped",
    why: "It is no expression of TypeScript or JavaScript, or it awaits: while a cell is stopped nothing else goes on in its thread, so no promise would ever be settled. An assignment (`count = 3`) changes the variable.",
  },
  M7774: {
    title: "a variable of the notebook can't have this name",
    why: "`Copy Variable to Globals` gives later cells a name. It has letters, digits, `_` and `$`, and does not begin with a digit.",
  },
} as const satisfies Record<`M77${number}`, CodePage>;

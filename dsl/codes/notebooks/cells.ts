/** Explanations of the error codes M75xx: cells of a notebook. */
import type { CodePage } from "../page.ts";

export const kernelCells = {
  M7501: {
    title: "the cell was cancelled",
    why: "Somebody pressed stop. The cell did nothing more from there on; what it and earlier cells declared is kept. Runs that it started or waited for are paused: `await run.resume()` in a cell, or `madrigal resume RUN`, goes on with them, and nothing that was done is done again.",
  },
  M7502: {
    title: "a cell can't end the kernel",
    why: "`process.exit`, `process.abort` and `process.reallyExit` would end the kernel and lose what all cells declared, so they throw. A cell ends early when it throws an error. Restart or shut down the kernel from the notebook's menu.",
  },
  M7503: {
    title: "there is no notebook here",
    why: '`input`, `prompt`, `confirm` and `select` ask the person at the notebook, and `display` of "tslab" shows things below a cell. A program without a notebook has neither: give the value as an argument, and print.',
  },
  M7504: {
    title: "the cell has an option that isn't known",
    why: "Behind a magic stand its options, on its own line; the text of a graph or of a query begins on the next one. `%help %%sql` lists those of `%%sql`; `%%graph` has none.",
  },
  M7505: {
    title: "the cell has no text",
    why: "`%%sql` stands before a query and `%%graph` before a graph, on the lines below it. There is nothing there.",
  },
  M7506: {
    title: "a hole of a query can't be bound",
    why: "`${run.id}` in a `%%sql` cell is the value of a name that a TypeScript cell declared, or of its members. It is bound as a parameter, so it must be one value: a string, a number, true, false, null or a date. What needs an expression gets a name in a TypeScript cell first, or is asked there with sql`…`.",
  },
  M7507: {
    title: "there is no such magic",
    why: "A cell begins with `%%graph` (the language of graphs), `%%sql` (a query of the traces), `%%bash`, `%%python` or none of these, and then is TypeScript; `%config`, `%runs` and `%help` are cells too, and `%help` lists all. Magics of other kernels (`%matplotlib`, `%load_ext`) do not run here. In the place of `%debug` stands the debugger of JupyterLab, which stops at exceptions.",
  },
  M7510: {
    title: "the value of a magic's option is wrong",
    why: 'An option of a magic has its value behind it, as in `--chart bar`: one of the values that `%help` lists, a number, or a name. What holds spaces stands in quotes: `--title "cost by node"`.',
  },
  M7511: {
    title: "this line is not a magic, but other lines of the cell are",
    why: "`%config`, `%runs` and `%help` stand in cells of their own, one a line; lines that begin with `//` are comments. TypeScript goes into a cell below.",
  },
  M7512: {
    title: "there is no such setting",
    why: "`%config` lists the settings of this session, with their values and where each comes from.",
  },
  M7513: {
    title: "a setting can't have this value",
    why: "A setting takes what its line in `%config` says. Some are told there and can only be set before the kernel starts, by a variable of the environment.",
  },
  M7514: {
    title: "there is no help on this",
    why: "`%help TOPIC` explains a magic, a word of the language or a code. There is none of this name.",
  },
  M7515: {
    title: "rows can't be saved under this name",
    why: "`%%sql --save NAME` declares a variable for later cells, so the name is one that a variable may have: letters, digits, `_` and `$`, no digit first, and no reserved word.",
  },
  M7516: {
    title: "the rows can't be drawn so",
    why: "A chart needs a column of numbers (`--y`), and another one to tell its marks apart (`--x`). Without these options, they are the first column of numbers and the first one of anything else.",
  },
  M7517: {
    title: "the file of answers is wrong",
    why: '`madrigal exec NB --answers FILE` answers what cells ask. The file is JSON: a list of answers in their order, or an object with an answer, or a list of them, for a piece of each question: `{ "name": "Ada", "go on?": ["y", "n"] }`.',
  },
  M7518: {
    title: "a command of a shell failed",
    why: "A cell below `%%bash`, or of lines that begin with `!`, ends with the exit code of its last command; another one than 0 fails the cell. `set -e` on the first line ends a script at its first command that fails.",
  },
  M7519: {
    title: "a folder that can't be entered",
    why: "`%cd` changes the working folder of the kernel, from which paths, imports and files are looked for. The folder is not there, is none, or may not be entered. The workspace with the runs stays where the kernel started.",
  },
} as const satisfies Record<`M75${number}`, CodePage>;

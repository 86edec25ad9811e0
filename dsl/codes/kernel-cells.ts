import type { CodePage } from "./page.ts";

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
    why: "Nothing can stand behind `%%graph` and `%%sql` on their line yet. The text of the graph or of the query begins on the next line.",
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
    why: "A cell begins with `%%graph` (the language of graphs), `%%sql` (a query of the traces) or neither, and then is TypeScript. Magics of other kernels (`%time`, `%%bash`) and commands of a shell (`!ls`) do not run here: `console.time()` measures, and `node:child_process` starts programs.",
  },
} as const satisfies Record<`M75${number}`, CodePage>;

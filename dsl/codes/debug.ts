import type { CodePage } from "./page.ts";

export const debug = {
  M5450: {
    title: "a breakpoint or an expression of the debugger can't be read",
    why: 'A breakpoint is a node\'s name, or one of `{ node, when }`, `{ edge: "a -> b" }`, `{ watch: "plan.steps[2]" }`, `{ on: "error" }`, `{ costAbove }`, each with `if` and `hits` where it should not hold every time. Conditions and what a debugger evaluates are expressions of the language: they read the state, the parameters, `inbox`, `result` and `run`, and call no function of TypeScript.',
  },
  M5451: {
    title: "there is no such frame",
    why: "A stopped run has a frame for the node where it stands, one for each graph that was called on the way to it, and one for itself: 0 is the innermost. `where` lists them.",
  },
  M5452: {
    title: "a line of the debugger can't be obeyed",
    why: "`madrigal debug` reads one command a line, from a terminal or a pipe: `help` lists them on one screen. A word may be cut short where it is clear what it begins (`cont`).",
  },
  M5453: {
    title: "nothing stands at this path of the state",
    why: "`blame` and `slice` ask about a part of a run's state as it stands: a field, or a path into one such as `plan.steps[2].title`. `run.state` has what is there.",
  },
  M5454: {
    title: "a run does not become a test",
    why: "`run.toTest()` writes a test that says what went in, what each node said and what came of it, and runs it before it gives it back. In a test approvals are granted, no time passes and a graph that a plan made is not there: a run in which these decided is told by no test.",
  },
  M5455: {
    title: "a debugger is of a run",
    why: "`new Debugger(run)` takes a run of this process: `graph.debug({ … })` gives one that is held before its first step, `graph.run` one that goes on, `runs.open` a stored one. A summary of `runs.list()` is none.",
  },
} as const satisfies Record<string, CodePage>;

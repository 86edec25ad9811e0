/** Explanations of the error codes M545x and M546x: debuggers of runs. */
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
    title: "there is no value at this path of the state",
    why: "`blame` and `slice` ask who wrote a part of a run's own state as it stands: a field, or a path into one such as `plan.steps[2].title`. What is removed, what is not written yet, a parameter, and a field of a called graph or of an agent alone have no writer there. The hint says up to where the path leads; `run.state` has all of it.",
  },
  M5454: {
    title: "a run does not become a test",
    why: "`run.toTest()` writes a test that says what went in, what each node said and what came of it, and runs it before it gives it back. In a test approvals are granted, no time passes and a graph that a plan made is not there: a run in which these decided is told by no test.",
  },
  M5455: {
    title: "a debugger is of a run",
    why: "`new Debugger(run)` takes a run of this process: `graph.debug({ … })` gives one that is held before its first step, `graph.run` one that goes on, `runs.open` a stored one. A summary of `runs.list()` is none.",
  },
  M5456: {
    title: "a timeline has no such place",
    why: "`run.timeline().at(n)` shows one place of a run: 0 is its start, and behind that each step of it and of the graphs that it called, and each edit by a person. `timeline.length` says how many there are.",
  },
  M5457: {
    title: "two runs can't be compared",
    why: "`run.diff(other)` and `madrigal diff RUN OTHER` compare two runs of one graph, as it is or as it was: graphs that have neither their name nor a node in common have no steps to be put beside each other. The other run is one of this process: what `graph.run` or `runs.open` gives.",
  },
  M5458: {
    title: "the condition of a breakpoint has no answer",
    why: "What stands behind `if` of a breakpoint, or behind `when` of a `break`, is worked out each time that the run comes there, and holds it where it is true. Where it is neither true nor false, because a field is not written yet, something read is not there, or the value is a text or a number, the breakpoint holds nobody, and this is said once: in the cell and the debugger's console, in `madrigal debug`, and in `debugger.warnings`.",
  },
  M5459: {
    title: "no run is of this graph",
    why: "`madrigal runs --graph NAME`, `%runs NAME` in a notebook, `madrigal bisect --graph NAME` and `bisect({ graph })` are about the runs of one graph only. No run of this workspace is of a graph with that name: `madrigal runs` without an option shows the graph of each run.",
  },
  M5461: {
    title: "no such node run is open",
    why: '`run.holdBranch` and `run.releaseBranch` take one node run that has begun or is due, by its label (`search#2`), by its id, or by its node\'s name where that has one alone. One that has committed is over, and one that nothing has led to yet is not there: `{ node, holds: "branch" }` is the breakpoint that holds it when it comes.',
  },
  M5462: {
    title: "a branch is held in a run that goes on",
    why: "A branch is held while the others go on, so the run has to be driven by this process: `graph.debug`, `graph.run`, or `resume()` of a stored run. Who resumes a run lets go of all that was held in it.",
  },
  M5460: {
    title: "this run can't be run again with this graph",
    why: "`graph.rerun(run)` serves what is unchanged from the log of a run of the same graph, in any version of it: `graph.run`, `runs.open` and `runs.last` give one. A run whose process died before its first record has nothing that could be served.",
  },
} as const satisfies Record<string, CodePage>;

/** Codes of handoffs: what a node gives to whom it picks. */
import type { CodePage } from "./page.ts";

export const handoffs = {
  M3780: {
    title: "a picked node without its arguments",
    why: "Behind an agent a target may leave its arguments open, `front -> booking | end`: the agent that hands over gives them, as the arguments of its handoff. A router, a function of a `run` node and a person pick a name and nothing else, so the arrow must have the arguments.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string = "" }\n  router front { model m; prompt `Who?` }\n  agent booking(city: string) { model m; prompt `Book ${city}.`; writes a }\n  start -> front -> booking | end\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string = "" }\n  router front { model m; prompt `Who?` }\n  agent booking(city: string) { model m; prompt `Book ${city}.`; writes a }\n  start -> front -> booking("Rome") | end\n}\n',
    near: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string = "" }\n  agent front { model m; prompt `Who?` }\n  agent booking(city: string) { model m; prompt `Book ${city}.`; writes a }\n  start -> front -> booking | end\n}\n',
  },
  M3781: {
    title: "a return that nobody waits for",
    why: "`booking -> return` goes back to the latest node that handed over on this way: one with `a | b` behind its arrow, in the graph, or in the body of the `each` where it stands. Where none leads here, there is nowhere to go back to: name the node to go on with.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string = "" }\n  limit 20 steps\n  agent front { model m; prompt `Who?`; writes a }\n  agent booking { model m; prompt `Book.`; writes a }\n  start -> front -> booking\n  booking -> return\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string = "" }\n  limit 20 steps\n  agent front { model m; prompt `Who?`; writes a }\n  agent booking { model m; prompt `Book.`; writes a }\n  start -> front -> booking | end\n  booking -> return\n}\n',
    near: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string = "" }\n  limit 20 steps\n  agent front { model m; prompt `Who?`; writes a }\n  agent booking { model m; prompt `Book.`; writes a }\n  start -> front -> booking\n  booking -> end\n}\n',
  },
  M8720: {
    title: "a handoff that does not fit its target",
    why: "An agent that hands over to a node with parameters gives what its arrow leaves open: the arguments of the tool `handoff_NODE`, or the `payload` of an operator's handoff. The model is told what does not fit and asked again in the same session, twice; after that the attempt fails with class `invalid`.",
  },
  M8721: {
    title: "nobody to return to",
    why: "A `return` goes back to the latest node that handed over on this way, and each handover is returned from once. This run came to the `return` without one: it began there, a branch of its own (`detached`, an item of an `each`) has not been handed anything, or it has returned already. `x -> return | end` of an agent ends in that case.",
  },
} as const satisfies Record<`M3${number}` | `M8${number}`, CodePage>;

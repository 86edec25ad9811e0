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
  M8720: {
    title: "a handoff that does not fit its target",
    why: "An agent that hands over to a node with parameters gives what its arrow leaves open: the arguments of the tool `handoff_NODE`, or the `payload` of an operator's handoff. The model is told what does not fit and asked again in the same session, twice; after that the attempt fails with class `invalid`.",
  },
} as const satisfies Record<`M3${number}` | `M8${number}`, CodePage>;

import type { CodePage } from "./page.ts";

export const policies = {
  M4001: {
    title: "an agent without a model",
    why: "Every agent and router names its model, in itself or by `defaults { model m }`.",
    bad: "graph G() returns a {\n  state { a: string }\n  agent write { prompt `Write.`; writes a }\n  start -> write\n}\n",
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M4002: {
    title: "a clause is missing",
    why: "An agent needs a prompt, a human node a question (`ask`), an operator a controller.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M4003: {
    title: "a clause that stands twice",
    why: "Of most clauses there is one; those that add up are `ensure`, `approve`, `set`, `recall`, `store` and `state`.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; prompt `Write well.`; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write well.`; writes a }\n  start -> write\n}\n',
  },
  M4004: {
    title: "a clause that means nothing here",
    why: "A `run` node has no prompt, an agent has no `ask`: each kind of node has its clauses.",
    bad: 'import { f } from "./f.ts"\ngraph G() returns a {\n  state { a: string }\n  run write = f() writes a { prompt `Write.` }\n  start -> write\n}\n',
    good: 'import { f } from "./f.ts"\ngraph G() returns a {\n  state { a: string }\n  run write = f() writes a\n  start -> write\n}\n',
  },
  M4101: {
    title: "a unit that does not exist",
    why: "Limits count times (`30s`, `3m`), money (`$2`), `tokens`, `turns` (model calls), `calls` (tool calls), `steps` (commits), `errors` and `repeats`.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a; limit 40k token }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a; limit 40k tokens }\n  start -> write\n}\n',
  },
  M4102: {
    title: "a class of error that does not exist",
    why: "`retry n on` names `transport`, `model`, `invalid`, `tool` or `timeout`. What was denied or hit a limit is never tried again.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a; retry 2 on network }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a; retry 2 on transport }\n  start -> write\n}\n',
  },
  M4103: {
    title: "an ending that does not exist",
    why: "An arrow is taken `on error` (after all retries), `on limit` or `on deny`.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  agent check { model m; prompt `Check it.`; writes a }\n  start -> write\n  write -> check on failure\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  agent check { model m; prompt `Check it.`; writes a }\n  start -> write\n  write -> check on error\n}\n',
  },
  M4104: {
    title: "a condition in words without a judge",
    why: '`ensure` takes an expression that the engine evaluates, or words that a model judges: `ensure "\u2026" by m`.',
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a; ensure "every claim has a source" }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a; ensure "every claim has a source" by m }\n  start -> write\n}\n',
  },
  M4900: {
    title: "not built yet",
    why: "The language has this and the checker knows it, but the engine can't run it so far. A later version will; nothing of it is left out silently.",
    bad: "graph G() returns a {\n  state { a: string }\n  human write { ask `Write?`; writes a }\n  start -> write\n}\n",
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
} as const satisfies Record<`M4${number}`, CodePage>;

import type { CodePage } from "./page.ts";

export const names = {
  M2001: {
    title: "a name that is declared twice",
    why: "Each graph, node, field, type, model and parameter has a name of its own, so that a name in an arrow or a prompt means one thing. The second declaration is reported.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  agent write { model m; prompt `Write again.`; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  agent rewrite { model m; prompt `Write again.`; writes a }\n  start -> write -> rewrite\n}\n',
  },
  M2002: {
    title: "a name that hides another",
    why: "A variable, parameter or field may not take the name of something that can already be named in the same place: who reads the text could not know which one is meant.",
    bad: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write(topic: string) { model m; prompt `Write about ${topic}.`; writes a }\n  start -> write(topic)\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write(about: string) { model m; prompt `Write about ${about}.`; writes a }\n  start -> write(topic)\n}\n',
  },
  M2101: {
    title: "no node of this name",
    why: "An arrow, an `approve` or a `tell` names a node that the graph does not declare.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  start -> writer\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M2102: {
    title: "no field of this name",
    why: "`returns`, `reads` and `given` name fields of the state or parameters of the graph.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns raport {\n  state { report: string }\n  agent write { model m; prompt `Write.`; writes report }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns report {\n  state { report: string }\n  agent write { model m; prompt `Write.`; writes report }\n  start -> write\n}\n',
  },
  M2103: {
    title: "a name that means nothing in this expression",
    why: "Expressions and the holes of prompts can name variables of an `each`, parameters, fields, settings, models, memories and imports. A node sees the item of an `each` only through a parameter of its own.",
    bad: 'model m = "openai/gpt-4o"\ngraph G(question: string) returns a {\n  state { a: string }\n  agent write { model m; prompt `Answer ${qestion}`; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G(question: string) returns a {\n  state { a: string }\n  agent write { model m; prompt `Answer ${question}`; writes a }\n  start -> write\n}\n',
  },
  M2104: {
    title: "no type of this name",
    why: "Types are `string`, `number`, `int`, `boolean`, `Json`, the built-in `Plan`, `Step`, `Artifact`, `Image`, `Private<T>`, those declared with `type`, and imported ones.",
    bad: 'model m = "openai/gpt-4o"\ngraph G() returns tasks {\n  state { tasks: Tsak[] }\n  agent plan { model m; prompt `Plan.`; writes tasks }\n  start -> plan\n}\ntype Task = { title: string }\n',
    good: 'model m = "openai/gpt-4o"\ngraph G() returns tasks {\n  state { tasks: Task[] }\n  agent plan { model m; prompt `Plan.`; writes tasks }\n  start -> plan\n}\ntype Task = { title: string }\n',
  },
  M2105: {
    title: "no model of this name",
    why: "`model x` in a node names a model of the file, an import, or a parameter that holds one. A text in quotes names a provider's model directly.",
    bad: 'model fast = "openai/gpt-4o-mini"\ngraph G() returns a {\n  state { a: string }\n  agent write { model fats; prompt `Write.`; writes a }\n  start -> write\n}\n',
    good: 'model fast = "openai/gpt-4o-mini"\ngraph G() returns a {\n  state { a: string }\n  agent write { model fast; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M2106: {
    title: "no function of this name",
    why: "A `run` node or an expression calls a function that no import, cell or scope file offers.",
  },
  M2107: {
    title: "no tool of this name",
    why: "`tools` names a tool that no import, MCP server, cell or scope file offers.",
  },
  M2108: {
    title: "no memory of this name",
    why: "`recall` and `store` name a memory that is declared in the file or the graph.",
    bad: 'model m = "openai/gpt-4o"\nmemory plans: string\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; recall plan top 3; prompt `Write.`; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\nmemory plans: string\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; recall plans top 3; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M2109: {
    title: "a count that is no number",
    why: "Behind `max`, `parallel`, `retry`, `need` and `top` stands a number, or the name of a parameter or setting that holds one when the run starts.",
    bad: 'model m = "openai/gpt-4o"\ngraph G(tries: int = 2) returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; retry trys; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G(tries: int = 2) returns a {\n  state { a: string }\n  agent write { model m; prompt `Write.`; retry tries; writes a }\n  start -> write\n}\n',
  },
  M2110: {
    title: "a type without this member",
    why: "The type of what stands before the dot is declared, and it has no member of this name.",
    bad: 'model m = "openai/gpt-4o"\ntype Task = { query: string, why: string }\ngraph G(task: Task) returns a {\n  state { a: string }\n  agent write { model m; prompt `Find ${task.qery}: ${task.why}`; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ntype Task = { query: string, why: string }\ngraph G(task: Task) returns a {\n  state { a: string }\n  agent write { model m; prompt `Find ${task.query}: ${task.why}`; writes a }\n  start -> write\n}\n',
  },
  M2111: {
    title: "a method that expressions do not have",
    why: "Expressions are evaluated by the engine, over a closed list of methods of texts, lists and numbers. What needs more is a TypeScript function in a `run` node.",
    bad: 'model m = "openai/gpt-4o"\ngraph G(words: string[]) returns a {\n  state { a: string }\n  agent write { model m; prompt `Use ${words.jion(", ")}`; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G(words: string[]) returns a {\n  state { a: string }\n  agent write { model m; prompt `Use ${words.join(", ")}`; writes a }\n  start -> write\n}\n',
  },
  M2112: {
    title: "no graph of this name",
    why: "A `test` is of a graph of this file or an imported one.",
    bad: 'import { Reviews } from "./review.madrigal"\ntest "it works" of Review {\n  expect cost <= $1\n}\n',
    good: 'import { Review } from "./review.madrigal"\ntest "it works" of Review {\n  expect cost <= $1\n}\n',
  },
  M2201: {
    title: "an argument is missing",
    why: "A node with parameters gets its arguments where an arrow leads to it: `search(task)`.",
    bad: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write(about: string) { model m; prompt `Write about ${about}.`; writes a }\n  start -> write\n  limit $1\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write(about: string) { model m; prompt `Write about ${about}.`; writes a }\n  start -> write(topic)\n  limit $1\n}\n',
  },
  M2202: {
    title: "an argument too many",
    why: "The node or graph takes fewer arguments than are given.",
    bad: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write { model m; prompt `Write about ${topic}.`; writes a }\n  start -> write(topic)\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write { model m; prompt `Write about ${topic}.`; writes a }\n  start -> write\n}\n',
  },
  M2203: {
    title: "an argument with a label that is no parameter",
    why: "A label before an argument names the parameter that it is for.",
    bad: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write(about: string) { model m; prompt `Write about ${about}.`; writes a }\n  start -> write(abuot: topic)\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write(about: string) { model m; prompt `Write about ${about}.`; writes a }\n  start -> write(about: topic)\n}\n',
  },
  M2301: {
    title: "a declaration that nothing uses",
    why: "Unused models, types, imports and parameters are mostly left over, or the sign of a name written wrong elsewhere.",
    bad: 'model fast = "openai/gpt-4o-mini"\nmodel smart = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model smart; prompt `Write.`; writes a }\n  start -> write\n}\n',
    good: 'model smart = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string }\n  agent write { model smart; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M2302: {
    title: "a hole in a text in quotes",
    why: "`${ }` is filled in texts between backticks. Between quotes it is told to the model as the characters that it is made of.",
    bad: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write { model m; prompt "Write about ${topic}."; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write { model m; prompt `Write about ${topic}.`; writes a }\n  start -> write\n}\n',
  },
} as const satisfies Record<`M2${number}`, CodePage>;

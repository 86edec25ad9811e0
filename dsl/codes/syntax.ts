import type { CodePage } from "./page.ts";

export const syntax = {
  M1001: {
    title: "a character that means nothing here",
    why: "The language knows letters, digits, `_`, quotes, backticks and its signs. Anything else stands in a string, a prompt or a comment (`//` or `/* */`).",
    bad: "# the models\n",
    good: "// the models\n",
  },
  M1002: {
    title: "a string that is never closed",
    why: "A string in quotes ends on the line it begins on. Longer text stands between backticks.",
    bad: 'model smart = "openai/gpt-4o\n',
    good: 'model smart = "openai/gpt-4o"\n',
  },
  M1003: {
    title: "a prompt that is never closed",
    why: "A prompt may have many lines, so it runs on to the next backtick, through whatever stands between. What follows it then reads wrong; look for the missing backtick first.",
    bad: "graph G {\n  state { text: string }\n  agent a {\n    prompt `Write a poem.\n    writes text\n  }\n  start -> a\n}\n",
    good: "graph G {\n  state { text: string }\n  agent a {\n    prompt `Write a poem.`\n    writes text\n  }\n  start -> a\n}\n",
  },
  M1004: {
    title: "a `${` that is never closed",
    why: "A hole in a prompt holds one expression and ends with `}`. To write the two characters themselves, write `\\${`.",
    bad: "graph G(topic: string) {\n  agent a { prompt `Write about ${topic today.` }\n  start -> a\n}\n",
    good: "graph G(topic: string) {\n  agent a { prompt `Write about ${topic} today.` }\n  start -> a\n}\n",
  },
  M1005: {
    title: "a comment that is never closed",
    why: "A comment that begins with `/*` runs on to `*/`, over as many lines as lie between. For one line write `//`.",
    bad: "/* the models\n",
    good: "/* the models */\n",
  },
  M1006: {
    title: "a number with a unit that does not exist",
    why: "Durations end in `ms`, `s`, `m`, `h` or `d`; large numbers in `k` or `M`. A unit that is a word stands apart from its number: `60 steps`.",
    bad: "graph G {\n  limit 30sec\n  start -> end\n}\n",
    good: "graph G {\n  limit 30s\n  start -> end\n}\n",
  },
  M1101: {
    title: "something else was expected",
    why: "What is written up to this point makes sense, and the next word or sign does not continue it. The message names what would.",
    bad: "graph G {\n  start > end\n}\n",
    good: "graph G {\n  start -> end\n}\n",
  },
  M1102: {
    title: "nothing here begins with this word",
    why: "Every line of a block begins with one of a few words: nodes and edges in a graph, clauses in a node. It may be misspelt, it may belong into another block, or another tool calls so what has another name here.",
    bad: "graph G {\n  agent a { promt `Hello` }\n  start -> a\n}\n",
    good: "graph G {\n  agent a { prompt `Hello` }\n  start -> a\n}\n",
  },
  M1103: {
    title: "a comma is missing",
    why: "The items of a list are separated by commas.",
    bad: "graph G {\n  agent a { prompt `Hello`; tools fs.read fs.find }\n  start -> a\n}\n",
    good: "graph G {\n  agent a { prompt `Hello`; tools fs.read, fs.find }\n  start -> a\n}\n",
  },
  M1104: {
    title: "a `{` that is never closed",
    why: "Every `{` has its `}`. The frame shows the brace that was probably left open, by the indentation of the lines behind it.",
    bad: "graph G {\n  agent a {\n    prompt `Hello`\n  start -> a\n}\n",
    good: "graph G {\n  agent a {\n    prompt `Hello`\n  }\n  start -> a\n}\n",
  },
  M1105: {
    title: "a `}` that closes nothing",
    why: "There is one `}` more than there are `{`.",
    bad: "graph G {\n  start -> end\n}\n}\n",
    good: "graph G {\n  start -> end\n}\n",
  },
  M1106: {
    title: "a reserved word used as a name",
    why: "Seven words are never names: `true`, `false`, `null`, `else`, `when`, `each` and `match`. All others are, `tools`, `plan` and `status` too.",
    bad: "graph G {\n  state { match: string }\n  start -> end\n}\n",
    good: "graph G {\n  state { found: string }\n  start -> end\n}\n",
  },
  M1107: {
    title: "a field or parameter without a type",
    why: "Fields and parameters are declared with a colon and a type, which begins on the line of the colon: a model is asked for exactly that, and TypeScript checks it.",
    bad: "graph G {\n  state {\n    tasks:\n    report: string\n  }\n  start -> end\n}\n",
    good: "graph G {\n  state {\n    tasks: string[]\n    report: string\n  }\n  start -> end\n}\n",
  },
  M1108: {
    title: "an amount without a unit",
    why: "The unit says what is limited: time (`3m`), money (`$2`), `tokens`, `turns`, `calls`, `steps`, `errors` or `repeats`.",
    bad: "graph G {\n  limit 30\n  start -> end\n}\n",
    good: "graph G {\n  limit 30 steps\n  start -> end\n}\n",
  },
  M1109: {
    title: "`by` behind a condition that is not in quotes",
    why: 'A condition in quotes is judged by a model, `ensure "all prices have a source" by judge`. Any other is evaluated, so there is nobody to name; it may have a hint in quotes and `else ask` instead.',
    bad: 'model judge = "openai/gpt-4o"\ngraph G(n: int) {\n  agent a { prompt `Hello`; ensure n > 0 by judge }\n  start -> a\n}\n',
    good: 'model judge = "openai/gpt-4o"\ngraph G(n: int) {\n  agent a { prompt `Hello`; ensure "n is positive" by judge }\n  start -> a\n}\n',
  },
  M1110: {
    title: "an option of `each` said twice",
    why: "`parallel`, `need`, `when` and `on error skip` may stand in any order, each of them once.",
    bad: "graph G(xs: string[]) {\n  agent a(x: string) { prompt `${x}` }\n  start -> each x of xs parallel 2 parallel 3 { a(x) }\n}\n",
    good: "graph G(xs: string[]) {\n  agent a(x: string) { prompt `${x}` }\n  start -> each x of xs parallel 3 { a(x) }\n}\n",
  },
  M1111: {
    title: "`??` mixed with `||` or `&&`",
    why: "As in TypeScript, parentheses must say which comes first.",
    bad: "graph G(a?: boolean, b: boolean) {\n  end when a ?? b || b\n  start -> end\n}\n",
    good: "graph G(a?: boolean, b: boolean) {\n  end when (a ?? b) || b\n  start -> end\n}\n",
  },
  M1112: {
    title: "a text that nests too deep",
    why: "Brackets inside brackets are read up to a depth of 200. A part of the expression can be a TypeScript function that is called by name.",
    bad: `model m = ${"(".repeat(201)}1${")".repeat(201)}\n`,
    good: "model m = 1\n",
  },
} as const satisfies Record<`M1${number}`, CodePage>;

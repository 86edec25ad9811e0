/** Explanations of the error codes of memories: M491x, M498x, M787x and M876x. */
import type { CodePage } from "./page.ts";

export const memories = {
  M4914: {
    title: "a tool that a memory does not have",
    why: "An agent that lists `notes.recall`, `notes.store` or `notes.forget` of a declared memory `notes` searches, keeps and takes out entries by itself; `notes.*` is all three.",
    bad: 'model m = "openai/gpt-4o"\nmemory notes: string\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; tools notes.search; prompt `Look.`; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\nmemory notes: string\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; tools notes.recall; prompt `Look.`; writes a }\n  start -> write\n}\n',
  },
  M4980: {
    title: "a setting that memories do not have",
    why: "Behind a memory may stand `{ keep: 30d, review: true, min: 0.3, embed: e }`: for how long an entry is kept, whether a person approves it first, the least share of a query that an entry must meet, and the embedding model by which entries are found by their meaning, too: a `model` of the file, or the id of one.",
    bad: 'model m = "openai/gpt-4o"\nmemory notes: string { keep: 30 }\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; recall notes; prompt `${notes}`; writes a }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\nmemory notes: string { keep: 30d }\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; recall notes; prompt `${notes}`; writes a }\n  start -> write\n}\n',
  },
  M4981: {
    title: "a memory is named where nothing is recalled",
    why: "`recall notes` asks a memory once, when an attempt of its node begins. What it has is named in what the attempt begins with: `system`, `prompt`, `ask`, `context`, `skills`, arguments and `cache by`. What is to be known behind it, an arrow for example, is written to a field.",
    bad: 'model m = "openai/gpt-4o"\nmemory notes: string\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; prompt `${notes}`; writes a; store a into notes }\n  start -> write\n}\n',
    good: 'model m = "openai/gpt-4o"\nmemory notes: string\ngraph G() returns a {\n  state { a: string }\n  agent write { model m; recall notes; prompt `${notes}`; writes a; store a into notes }\n  start -> write\n}\n',
  },
  M7870: {
    title: "memories can't be used",
    why: "The store of memories could not be read or written: its disk is full, or its file damaged. No run fails for it: a node that recalls something is told of nothing, what it stores is in the log of its run alone, and the process says this once. Runs later on try again.",
  },
  M8760: {
    title: "a line is no entry of a memory",
    why: "`madrigal memory import` reads lines of JSON as `madrigal memory export` writes them, each with the members `memory`, `scope`, `owner`, `value`, `at` and `source`. A file with one wrong line changes nothing.",
  },
  M8761: {
    title: "a program that learns keeps what nobody has seen",
    why: "`madrigal memory learn RUN` gives what happened in a run to a program, and what that stores is to be looked at by a person before it is recalled: texts of strangers stand in it. Each memory that the program stores in says `review: true`: `memory experiences user: Experience { review: true }`.",
  },
  M7871: {
    title: "no such entry of a memory",
    why: "An entry is named by its id, or by the beginning of one that no other entry has. `madrigal memory list` and `%memory` show the ids.",
  },
} as const satisfies Record<`M${number}`, CodePage>;

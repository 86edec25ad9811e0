import type { CodePage } from "./page.ts";

export const typeBridge = {
  // ── 35: the expressions of a graph, checked by TypeScript against the notebook's cells ────────
  M3501: {
    title: "TypeScript knows no such name",
    why: "A name in an expression means a field, a parameter or a variable of the graph, else something that an earlier TypeScript cell or an `import` of this one declares. Run the cell that declares it first.",
  },
  M3502: {
    title: "there is no such member",
    why: "The type of the value has no member of this name. A `type` of the program or of a TypeScript cell says which members there are.",
  },
  M3503: {
    title: "an argument does not fit",
    why: "The function that is called wants another type here, or another number of arguments. A `run` node's function gets its arguments in their order, and behind them one more: the context that lets it wait, journal and be aborted.",
    bad: `import { basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name:  string = ""
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base, 5) writes name
  start -> read -> keep -> end
}
`,
    good: `import { basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name:  string = ""
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base, "5") writes name
  start -> read -> keep -> end
}
`,
  },
  M3504: {
    title: "this is no function",
    why: "A `run` node names a function of a TypeScript cell or file, and so does each of an agent's `tools`. This name stands for another kind of value.",
    bad: `import { parse, ParsedPath, sep } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name:  string = ""
  }
  run read = parse(file) writes parts
  run keep = sep(parts.base) writes name
  start -> read -> keep -> end
}
`,
    good: `import { basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name:  string = ""
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base) writes name
  start -> read -> keep -> end
}
`,
    near: { none: "The function that is meant has another name, which the import says too." },
  },
  M3505: {
    title: "a condition is not true or false",
    why: "`when`, `ensure`, `end when` and the branches of a choice take a boolean and nothing else: write `tasks.length > 0`, not `tasks.length`.",
  },
  M3506: {
    title: "a value can't be shown in a text",
    why: "A hole of a prompt shows texts, numbers, booleans, and lists and objects of them. Functions, symbols and promises have no text that a model could use.",
    bad: `import { basename } from "node:path"

model m = "openai/gpt-4o"

graph Say(file: string) returns name {
  state { name: string }
  agent say {
    model  m
    prompt \`Say \${file} as \${basename}.\`
    writes name
  }
  start -> say -> end
}
`,
    good: `model m = "openai/gpt-4o"

graph Say(file: string) returns name {
  state { name: string }
  agent say {
    model  m
    prompt \`Say \${file} as \${file}.\`
    writes name
  }
  start -> say -> end
}
`,
    near: `import { basename } from "node:path"

model m = "openai/gpt-4o"

graph Say(file: string) returns name {
  state { name: string }
  agent say {
    model  m
    prompt \`Say \${file} as \${file}.\`
    writes name
  }
  start -> say -> end
}
`,
  },
  M3507: {
    title: "`each` has nothing to go through",
    why: "`each x of xs` needs a list, a set, an async iterable or an observable. A number or a single object is none; write `[it]` for a list of one.",
  },
  M3508: {
    title: "a value does not fit the field",
    why: "What is written into a field, set or given as its default has the field's type; for a list that grows by `append` or `union`, one of its items will do.",
    bad: `import { basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name?: int
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base) writes name
  start -> read -> keep -> end
}
`,
    good: `import { basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name?: string
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base) writes name
  start -> read -> keep -> end
}
`,
  },
  M3509: {
    title: "a reducer does not fit the field",
    why: "What stands in the brackets of `via` is a function of one item of the field. A reducer of your own takes the value so far and what is written, and returns the new value.",
  },
  M3510: {
    title: "the cases do not fit what is matched",
    why: "A `match` names every value that its subject can have, or has an `else`; and it names none that the subject can't have.",
  },
  M3511: {
    title: "an import finds nothing",
    why: "The file or package is looked for from the working folder, and must export the name.",
    bad: `import { basenam as basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name:  string = ""
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base) writes name
  start -> read -> keep -> end
}
`,
    good: `import { basename as basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name:  string = ""
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base) writes name
  start -> read -> keep -> end
}
`,
  },
  M3512: {
    title: "a function goes where no arrow leads",
    why: "Where a `run` node stands before `a | b`, its function says which: its return type is a union of the names behind the arrow, or a command whose `goto` is one of them.",
  },
  M3513: {
    title: "a pause is no duration",
    why: '`every` takes a duration, a time of day such as `daily("09:00")`, or the name of something that holds one.',
  },
  M3514: {
    title: "a comparison that can never hold",
    why: "The type of one side does not have the value of the other, so the condition is always the same. Mostly the literal is misspelt.",
    bad: `import { basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name:  string = ""
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base) writes name
  start -> read
  read -> keep when parts.name == 5
  keep -> end
}
`,
    good: `import { basename, parse, ParsedPath } from "node:path"

graph Names(file: string) returns name {
  state {
    parts: ParsedPath
    name:  string = ""
  }
  run read = parse(file) writes parts
  run keep = basename(parts.base) writes name
  start -> read
  read -> keep when parts.name == "5"
  keep -> end
}
`,
  },
  M3519: {
    title: "TypeScript finds an error in an expression",
    why: "Expressions are checked as TypeScript; the message is the compiler's own.",
  },
  M3520: {
    title: "a graph no longer fits",
    why: "This cell gives a name another type, and a graph of an earlier cell uses the name. The cell has run; the graph's next run uses the new function, which takes or gives something else. Run the graph's cell again to see all that is wrong with it.",
  },
  M3590: {
    title: "the type service is not there",
    why: "TypeScript runs in a thread of its own, with a limit on its memory. It has stopped or was closed; the next request starts it again, and what earlier cells declared is kept.",
  },
  M3591: {
    title: "the TypeScript compiler failed",
    why: "The compiler itself threw an error while it worked on this cell. Splitting the cell shows which statement it is.",
  },
} as const satisfies Record<`M35${number}`, CodePage>;

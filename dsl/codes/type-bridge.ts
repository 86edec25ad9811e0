/** Explanations of the error codes M35xx: a graph and the types of its TypeScript. */
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
    bad: `import { basename, parse } from "node:path"

graph Names(file: string) returns name {
  state { name: string }
  run keep = basename(parse(file).nam) writes name
  start -> keep -> end
}
`,
    good: `import { basename, parse } from "node:path"

graph Names(file: string) returns name {
  state { name: string }
  run keep = basename(parse(file).name) writes name
  start -> keep -> end
}
`,
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
    bad: `import { availableParallelism } from "node:os"
import { basename } from "node:path"

graph Names(file: string) returns names, counts {
  state {
    names:  string[] = [] via union(basename)
    counts: int[] = [] via union(basename)
  }
  run keep = basename(file) writes names
  run count = availableParallelism() writes counts
  start -> keep -> count -> end
}
`,
    good: `import { availableParallelism } from "node:os"
import { basename } from "node:path"

graph Names(file: string) returns names, counts {
  state {
    names:  string[] = [] via union(basename)
    counts: int[] = [] via union
  }
  run keep = basename(file) writes names
  run count = availableParallelism() writes counts
  start -> keep -> count -> end
}
`,
    near: {
      none: "A key of a number needs another function, or none; either differs by more than one token.",
    },
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
  M3515: {
    title: "a type is too large to be spelled out",
    why: "A type of TypeScript stands in a graph with all of its parts, spelled out. One of more than 5,000 parts, or one whose types name each other a few times a level, is taken without them: expressions are checked by TypeScript all the same, but it has no JSON schema, so no model or person can be asked for it and input of it is not checked.",
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

/** Explanations of the error codes M35xx that concern conditions, lists, cases and pauses. */
import type { CodePage } from "./page.ts";

export const typeBridgeFlow = {
  // ── 35: where a graph goes on, and when, checked by TypeScript ────────────────────────────────
  M3505: {
    title: "a condition is not true or false",
    why: "`when`, `ensure`, `end when` and the branches of a choice take a boolean and nothing else: write `tasks.length > 0`, not `tasks.length`.",
    bad: `import { basename, isAbsolute } from "node:path"

graph Names(file: string) returns name, isRoot {
  state {
    name:   string = ""
    isRoot: boolean = false
  }
  run keep = basename(file) writes name { set isRoot = isAbsolute(file) }
  start -> { basename(file) -> keep, else -> end }
  keep -> end
}
`,
    good: `import { basename, isAbsolute } from "node:path"

graph Names(file: string) returns name, isRoot {
  state {
    name:   string = ""
    isRoot: boolean = false
  }
  run keep = basename(file) writes name { set isRoot = isAbsolute(file) }
  start -> { isAbsolute(file) -> keep, else -> end }
  keep -> end
}
`,
  },
  M3507: {
    title: "`each` has nothing to go through",
    why: "`each x of xs` needs a list, a set, an async iterable or an observable. A number or a single object is none; write `[it]` for a list of one.",
    bad: `import { getFips, getHashes } from "node:crypto"
import { basename } from "node:path"

graph Names() returns names, hashes, fips {
  state {
    names:  string[] = [] via append
    hashes: string[] = getHashes()
    fips:   number = getFips()
  }
  run keep(hash: string) = basename(hash) writes names
  start -> each hash of getFips() { keep(hash) } -> end
}
`,
    good: `import { getFips, getHashes } from "node:crypto"
import { basename } from "node:path"

graph Names() returns names, hashes, fips {
  state {
    names:  string[] = [] via append
    hashes: string[] = getHashes()
    fips:   number = getFips()
  }
  run keep(hash: string) = basename(hash) writes names
  start -> each hash of getHashes() { keep(hash) } -> end
}
`,
  },
  M3510: {
    title: "the cases do not fit what is matched",
    why: "A `match` names every value that its subject can have, or has an `else`; and it names none that the subject can't have.",
    bad: `import { endianness } from "node:os"

graph Order() returns order {
  state { order: string }
  run big = endianness() writes order
  run little = endianness() writes order
  start -> match endianness() { "BIG" -> big, else -> little }
  big -> end
  little -> end
}
`,
    good: `import { endianness } from "node:os"

graph Order() returns order {
  state { order: string }
  run big = endianness() writes order
  run little = endianness() writes order
  start -> match endianness() { "BE" -> big, else -> little }
  big -> end
  little -> end
}
`,
  },
  M3512: {
    title: "a function goes where no arrow leads",
    why: "Where a `run` node stands before `a | b`, its function says which: its return type is a union of the names behind the arrow, or a command whose `goto` is one of them.",
    bad: `import { endianness } from "node:os"

graph Order() returns order {
  state { order: string = "" }
  run pick = endianness()
  run BE = endianness() writes order
  run little = endianness() writes order
  start -> pick -> BE | little -> end
}
`,
    good: `import { endianness } from "node:os"

graph Order() returns order {
  state { order: string = "" }
  run pick = endianness()
  run BE = endianness() writes order
  run LE = endianness() writes order
  start -> pick -> BE | LE -> end
}
`,
    near: { none: "The name of a node stands at its node and behind the arrow." },
  },
  M3513: {
    title: "a pause is no duration",
    why: '`every` takes a duration, a time of day such as `daily("09:00")`, or the name of something that holds one.',
    bad: `import { hostname, loadavg } from "node:os"

graph Watch() returns name, loads {
  state {
    name:  string = ""
    loads: number[] = loadavg()
  }
  run look = hostname() writes name { every loadavg() max 3 }
  start -> look -> end
}
`,
    good: `import { hostname, loadavg } from "node:os"

graph Watch() returns name, loads {
  state {
    name:  string = ""
    loads: number[] = loadavg()
  }
  run look = hostname() writes name { every 5m max 3 }
  start -> look -> end
}
`,
    near: { none: "A call of a function and a duration differ by more than one token." },
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
} as const satisfies Record<`M35${number}`, CodePage>;

/** Programs to step through, each with what its nodes say: the same for the same node run, however often it is made. */
import { readFileSync } from "node:fs";

export interface SteppedProgram {
  readonly name: string;
  readonly text: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** By node, what its first, second … run says; further ones say the last again. */
  readonly says: Readonly<Record<string, readonly unknown[]>>;
  readonly steps: number;
}

/** The five systems' programs of the language definition, the library's deep search, and one that calls graphs in graphs. */
export const programs: readonly SteppedProgram[] = [
  {
    name: "deep search",
    text: textOf("runtime/library/deep-search.madrigal").replaceAll("docs.verify(", "verify("),
    input: { question: "why?" },
    says: {
      plan: [["a", "b", "c"].map((query) => ({ query, why: "x" }))],
      search: ["one", "two", "three"].map((quote) => [foundAs(quote)]),
      verify: [[foundAs("one"), foundAs("three")]],
      write: ["Therefore."],
    },
    steps: 6,
  },
  {
    name: "1, aworld",
    text: programOf("1-deepsearch"),
    input: { question: "why is the sky blue?", width: 4 },
    says: {
      plan: [["a", "b"].map((query) => ({ query, why: "x" }))],
      search: ["a", "b"].map((url) => [{ url, quote: "q", score: 1 }]),
      write: ["Short waves scatter most."],
    },
    steps: 4,
  },
  {
    name: "2, collaboration",
    text: programOf("2-plan-code-review"),
    input: { task: "add a flag" },
    says: {
      plan: [["edit", "test"], ["edit less"]],
      code: ["patch 1", "patch 2", "patch 3"],
      check: [false, true],
      critic: ["revise", "replan", "ship"].map((verdict) => ({ verdict, notes: verdict })),
      signoff: [true],
    },
    steps: 12,
  },
  {
    name: "3, magentic",
    text: programOf("3-magentic"),
    input: { task: "compare two phones" },
    says: {
      planner: [[step("look", "web")], [step("look", "web"), step("note", "files")]],
      coplan: [false, true],
      track: [
        ...[
          [false, false, "find"],
          [true, false, ""],
          [false, false, "note"],
          [true, false, ""],
        ].map(([done, replan, instruction]) => ({ done, replan, instruction })),
      ],
      web: ["both cost the same"],
      files: ["noted"],
      finish: ["Take either."],
    },
    steps: 11,
  },
  {
    name: "4, routing",
    text: programOf("4-state-routing"),
    input: { description: "a shop", goal: "buy a pen" },
    says: {
      boss: ["planner", "actor", "actor", "analyst", "planner", "analyst"].map(choice),
      planner: [["open the shop", "buy"], ["leave"]],
      actor: ["opened", "bought"],
      analyst: [
        { status: "in progress", errors: ["closed"] },
        { status: "completed", errors: [] },
      ],
    },
    steps: 12,
  },
  {
    name: "5, eko",
    text: programOf("5-eko-watch").replace("watchPrices(homes)", "homes"),
    input: { city: "Paris", target: 100 },
    says: {
      list: [["a", "b", "c", "d"]],
      visit: [120, 90, 80, 70].map((price, at) => [{ url: `u${at}`, price, rooms: 1 }]),
      tabulate: ["table"],
      alert: ["told"],
    },
    steps: 9,
  },
  {
    name: "graphs in graphs",
    text: `graph Outer(n: int) returns log {
  state { log: string[] = [] via append }
  graph one = Middle(n) writes log
  graph two = Middle(n) writes log
  run last = f(n) writes log
  start -> [one, two] -> last
}
graph Middle(n: int) returns log {
  state { log: string[] = [] via append }
  run first = f(n) writes log
  graph deep = Inner(n) writes log
  start -> first -> deep
}
graph Inner(n: int) returns log {
  state { log: string[] = [] via append }
  run left = f(n) writes log
  run right = f(n) writes log
  start -> [left, right]
}`,
    input: { n: 1 },
    says: { first: [["f"]], left: [["l"]], right: [["r"]], last: [["last"]] },
    steps: 3,
  },
];

function textOf(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}

/** Without its imports: nodes are told what they say, and a model's name is asked of nobody. */
function programOf(name: string): string {
  const text = textOf(`test/dsl/programs/${name}.madrigal`).replaceAll(/^import .*\n/gm, "");
  return name.startsWith("2") ? `model smart = "rules"\n${text}` : text;
}

function foundAs(quote: string) {
  return { package: "p", file: "f", heading: "h", quote, score: 1 };
}

function step(title: string, who: string) {
  return { title, details: title, who };
}

/** A router says where it goes on. */
export interface Choice {
  readonly choice: string;
}

function choice(name: string): Choice {
  return { choice: name };
}

/** Faults planted into one letter on both sides, each by the same change. */

/** Texts that are replaced, and what stands in their place. */
export type Change = readonly (readonly [from: string, to: string])[];

/** The moment at which LangGraph's side tells a fault; `never`: the run ends as if all were well. */
export type ToldBy = "types" | "compile" | "run" | "never";

export interface Fault {
  readonly name: string;
  /** The code by which our check tells it; a fault without one is told by nobody. */
  readonly code?: string;
  readonly there: ToldBy;
  readonly ours: Change;
  readonly langgraph: Change;
}

export const FAULTS: readonly Fault[] = [
  {
    name: "a node writes a field that nobody declared",
    code: "M3101",
    there: "never",
    ours: [["writes price", "writes prise"]],
    langgraph: [["{ price: priceOf(draft) }", "{ prise: priceOf(draft) }"]],
  },
  {
    name: "a node reads a field that nobody declared",
    code: "M2103",
    there: "types",
    ours: [["priceOf(draft)", "priceOf(drafts)"]],
    langgraph: [
      [
        '"weigh", ({ draft }) => ({ price: priceOf(draft)',
        '"weigh", ({ drafts }) => ({ price: priceOf(drafts)',
      ],
    ],
  },
  {
    name: "two nodes side by side write one field without a reducer",
    code: "M3216",
    there: "run",
    ours: [["run read = findSlips(draft) writes slips", "run read = shorten(draft) writes draft"]],
    langgraph: [
      ["{ slips: findSlips(draft) }", "{ draft: shorten(draft) }"],
      ["{ price: priceOf(draft) }", "{ price: priceOf(draft), draft }"],
    ],
  },
  {
    name: "a node reads what another one writes beside it",
    code: "M3216",
    there: "never",
    ours: [["priceOf(draft)", 'priceOf(slips.join(" "))']],
    langgraph: [
      [
        '"weigh", ({ draft }) => ({ price: priceOf(draft) })',
        '"weigh", ({ slips }) => ({ price: priceOf(slips.join(" ")) })',
      ],
    ],
  },
  {
    name: "an arrow is missing: a node that nothing leads to",
    code: "M3202",
    there: "compile",
    ours: [
      ["else -> look", "else -> end"],
      ["cut | look ->", "cut ->"],
    ],
    langgraph: [
      ['"cut" : "look"), ["cut", "look"]', '"cut" : END), ["cut", END]'],
      ['    .addEdge("look", "read")\n    .addEdge("look", "weigh")\n', ""],
    ],
  },
  {
    name: "an arrow is missing: a branch that ends before what comes next",
    code: "M3243",
    there: "never",
    ours: [["cut | look ->", "cut ->"]],
    langgraph: [['    .addEdge("look", "read")\n    .addEdge("look", "weigh")\n', ""]],
  },
  {
    name: "an arrow leads to a node that there is not",
    code: "M2101",
    there: "types",
    ours: [["-> send -> end", "-> sent_it -> end"]],
    langgraph: [['"weigh"], "send")', '"weigh"], "sent_it")']],
  },
  {
    name: "a join waits for two branches of which one is taken",
    code: "M3221",
    there: "never",
    ours: [["cut | look -> [read, weigh]", "[cut, look] -> [read, weigh]"]],
    langgraph: [
      [
        '    .addEdge("cut", "read")\n    .addEdge("cut", "weigh")\n',
        '    .addEdge(["cut", "look"], "read")\n',
      ],
      [
        '    .addEdge("look", "read")\n    .addEdge("look", "weigh")\n',
        '    .addEdge(["cut", "look"], "weigh")\n',
      ],
    ],
  },
  {
    name: "a loop that nothing ends",
    code: "M3205",
    there: "run",
    ours: [["-> send -> end", "-> send -> write"]],
    langgraph: [['.addEdge("send", END)', '.addEdge("send", "write")']],
  },
  {
    name: "a value that can never come is compared with",
    code: "M3210",
    there: "types",
    ours: [['kind == "long"', 'kind == "longer"']],
    langgraph: [['kind === "long"', 'kind === "longer"']],
  },
  {
    name: "an argument of the wrong type is given to a function",
    code: "M3503",
    there: "types",
    ours: [["post(draft, price)", "post(draft, kind)"]],
    langgraph: [
      [
        '"send", ({ draft, price }) => ({ sent: post(draft, price) })',
        '"send", ({ draft, kind }) => ({ sent: post(draft, kind) })',
      ],
    ],
  },
  {
    name: "a field is written with a value of the wrong type",
    code: "M3508",
    there: "types",
    ours: [["run weigh = priceOf(draft) writes price", "run weigh = shorten(draft) writes price"]],
    langgraph: [["{ price: priceOf(draft) }", "{ price: shorten(draft) }"]],
  },
  {
    name: "a field is read before anything has written it",
    code: "M3207",
    there: "never",
    ours: [["compose(name)", "compose(sent)"]],
    langgraph: [['"write", ({ name }) => compose(name)', '"write", ({ sent }) => compose(sent)']],
  },
  {
    name: "a field is written and never read",
    code: "M3208",
    there: "never",
    ours: [["returns sent, slips", "returns sent"]],
    langgraph: [],
  },
  {
    name: "what the graph gives back nobody writes",
    code: "M3206",
    there: "never",
    ours: [["writes sent", "writes draft"]],
    langgraph: [["{ sent: post(draft, price) }", "{ draft: post(draft, price) }"]],
  },
  {
    name: "a reducer that does not fit the type of its field",
    code: "M3302",
    there: "types",
    ours: [["string[] = [] via append", "string[] = [] via sum"]],
    langgraph: [["[...all, ...more]", "all + more"]],
  },
];

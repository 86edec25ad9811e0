import fc from "fast-check";

/**
 * Random programs of one graph, as text. They check without an error or a warning that depends on chance: loops are
 * bounded, nodes that can overlap write only through reducers that merge, every field has a default.
 */
export function arbitraryGraph(options: GraphOptions = {}): fc.Arbitrary<string> {
  return fc
    .record({
      chains: fc.array(chainShape(), { minLength: 1, maxLength: 2 }),
      limit: fc.option(fc.constantFrom("200 steps", "$3, 20m", "40k tokens, 90 turns")),
      extras: options.runnable === false ? fc.subarray(extrasFor(options)) : fc.constant([]),
    })
    .map((shape) => new Writer(options).program(shape));
}

function extrasFor({ calls = false }: GraphOptions): Extra[] {
  return EXTRAS.filter((extra) => calls || extra.calls !== true);
}

export interface GraphOptions {
  /** `false` adds what checks but does not run yet: people, controllers, decisions, approvals, memories. */
  readonly runnable?: boolean;
  /** With `runnable: false`: whether it may call other graphs, which stand behind it in the text. */
  readonly calls?: boolean;
  /** Names of the functions that `run` nodes may call; each is called with the node's name and maybe an item. */
  readonly functions?: readonly string[];
}

// ── shapes: what hangs on what, without names ───────────────────────────────────────────────────

type Step =
  | { readonly kind: "node"; readonly node: NodeShape }
  | { readonly kind: "fork"; readonly nodes: readonly NodeShape[]; readonly after: NodeShape }
  | {
      readonly kind: "choice";
      readonly condition: string | "match";
      readonly first: Chain;
      readonly second: Chain;
      readonly after: NodeShape;
    }
  | {
      readonly kind: "each";
      readonly items: string;
      readonly options: string;
      readonly body: Chain;
      /** The node for a failure of the body's last one. */
      readonly rescue: NodeShape | null;
      readonly after: NodeShape;
    }
  | {
      readonly kind: "loop";
      readonly node: NodeShape;
      readonly condition: string;
      readonly max: number;
    };

type Chain = readonly Step[];

interface NodeShape {
  readonly word: "run" | "agent";
  readonly write: number;
  readonly clauses: readonly string[];
  readonly function: number;
  /** What stands behind the arrow to it. */
  readonly arrow: string;
}

/** Fields that any number of nodes may write at once. */
const MERGED = ["log", "total", "peak", "tags", "best"] as const;

const CONDITIONS = [
  "total > 3",
  "log.length < n",
  '"x" == last || peak >= 2',
  "!log.includes(last) && n > 1",
  "tags.some(t => t.length > 2)",
  "(total + 1) * 2 < peak - n",
] as const;

/** `HERE` is the node that goes round. */
const LOOP_CONDITIONS = [
  ...CONDITIONS,
  "visits(HERE) < n",
  "round(HERE) <= 2 && total < 9",
] as const;

const NODE_CLAUSES = [
  "retry 2",
  "retry n on tool | timeout, 1 on model backoff 1s..20s",
  "limit 3m, 40k tokens",
  "limit $0.50, 12 turns, 20 calls",
  'ensure log.length >= 0 "the log is a list"',
  "set total = 1",
  "set peak = total + 1, tags = [last] via append",
] as const;

const ITEMS = ["[1, 2, 3]", "log", "tags.slice(0, n)", "[]", "log.concat(tags)"] as const;

const EACH_OPTIONS = [
  "",
  " parallel 1",
  " parallel n",
  " parallel 3 on error skip",
  " on error skip",
] as const;

function nodeShape(): fc.Arbitrary<NodeShape> {
  return fc.record({
    word: fc.constantFrom("run" as const, "agent" as const),
    write: fc.nat({ max: MERGED.length - 1 }),
    clauses: fc.subarray([...NODE_CLAUSES], { maxLength: 3 }).map((clauses) => onePerWord(clauses)),
    function: fc.nat({ max: 7 }),
    arrow: fc.constantFrom(
      "",
      "",
      "",
      " when total < 9",
      " max 4",
      " set total = 1",
      " when n > 0 set tags = last via append",
    ),
  });
}

/** Two clauses of one word are a mistake, except those that add up. */
function onePerWord(clauses: readonly string[]): readonly string[] {
  const word = (clause: string) => clause.split(" ")[0];
  return clauses.filter(
    (clause, index) =>
      word(clause) === "set" ||
      clauses.findIndex((other) => word(other) === word(clause)) === index,
  );
}

function chainShape(): fc.Arbitrary<Chain> {
  const { chain } = fc.letrec<{ chain: Chain; step: Step }>((tie) => ({
    chain: fc.array(tie("step"), { minLength: 1, maxLength: 3, depthIdentifier: "graph" }),
    step: fc.oneof(
      { maxDepth: 3, depthIdentifier: "graph", withCrossShrink: true },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant("node" as const), node: nodeShape() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("fork" as const),
          nodes: fc.array(nodeShape(), { minLength: 2, maxLength: 3 }),
          after: nodeShape(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("choice" as const),
          condition: fc.constantFrom(...CONDITIONS, "match"),
          first: tie("chain"),
          second: tie("chain"),
          after: nodeShape(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("each" as const),
          items: fc.constantFrom(...ITEMS),
          options: fc.constantFrom(...EACH_OPTIONS),
          body: tie("chain"),
          rescue: fc.option(nodeShape(), { freq: 2 }),
          after: nodeShape(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("loop" as const),
          node: nodeShape(),
          condition: fc.constantFrom(...LOOP_CONDITIONS),
          max: fc.integer({ min: 1, max: 4 }),
        }),
      },
    ),
  }));
  return chain;
}

// ── text ────────────────────────────────────────────────────────────────────────────────────────

/** What checks and does not all run yet: each stands alone beside the rest of the graph. */
interface Extra {
  /** Above the graph. */
  readonly file?: string;
  /** In it. */
  readonly lines: readonly string[];
  /** It calls a graph of the file. */
  readonly calls?: boolean;
}

const EXTRAS: readonly Extra[] = [
  {
    lines: [
      "memory plans user: { what: string } by what { keep: 30d, review: true, min: 0.2 }",
      `agent rest2 { model m; recall plans top 3 by last; prompt \`Rest.\`; store { what: last } into plans
    state { own: int = 0 }; set own = own + 1; ensure own > 0 "none" else ask within 1d }`,
      'approve before rest2 `Sure?` within 12h..2d then ask "lead" within 5h..1d then ask ["lead", last] need 1',
      "break after rest2 when total > 3",
      "start -> rest2 after 5m",
    ],
  },
  {
    lines: [
      "state thread { kept: string[] = [] via append }",
      'state { flag: boolean = false\n note: string = ""\n draft: string = "" }',
      "human ask1 { ask `Go on? ${log} ${kept}` from last within 9h..3d then ask note within 2h else { yes: flag }; edits draft; writes flag = result.yes via replace }",
      `operator hand1 { controller codex(pool: 2); prompt \`Do \${last}\`; session reuse s1; skills "tdd"
    effects workspace; writes note?; approve tool * when call.risk == "high" by guard from ["lead", "ops"] need 1 within 1h }`,
      "start -> ask1 -> end",
      "ask1 -> hand1 on limit",
      "hand1 -> end on deny",
    ],
  },
  {
    lines: [
      'router pick1 "picks" { model m; reads earlier log, total; prompt `Who?`; history own 4k tokens summarize; cache 1d by last }',
      `agent rest1 { model m; prompt \`Rest.\`; every 5m..1h until total > 3 max 4; tell pick1 as task { last, total, peak: result }
    ensure "all is said" by m }`,
      'start -> pick1 -> end | rest1 "the rest"',
      "rest1 -> end on error",
    ],
  },
  {
    lines: [
      'agent desk1 "hands over" { model m; prompt `Who?`; history inbox }',
      'agent book1(city: string, seats: int = 1, who?: { name: string, age: int | null }[]) "books" { model m; prompt `${city} ${seats} ${who}` }',
      'operator fly1(at: "morning" | "night") "flies" { controller codex; prompt `${at}` }',
      "start -> desk1 -> book1 | fly1 | end",
      "book1 -> fly1 | return max 3",
      "fly1 -> return max 2",
    ],
  },
  {
    lines: [
      "state thread { talk: Messages }",
      'state { side: Messages = [{ role: "user", content: "Hello" }] }',
      'agent talk1 "talks" { model m; prompt `${last}`; history talk 20 messages summarize; writes talk, last }',
      'agent talk2 "talks back" { model m; history side 4k tokens; writes side, talk = [{ role: "assistant", content: result }] }',
      'run forget1 = oldest(talk) writes talk { set side = [{ remove: "all" }] }',
      "start -> talk1 -> talk2 -> forget1 when talk.length > 3 && talk[0].content != last -> end",
    ],
  },
  {
    lines: [
      'tool look1 "looks up" = web."look-up"(n) { limit 5 repeats else ask within 2h }',
      'run look2 "opens a page" = web.open(n: n)',
      "start -> [look1, look2] detached",
      "[look1, look2] need 2 -> last1",
      "run last1 = web.close()",
    ],
  },
  { lines: ["end when total > 1000", "end when run.cost > $4 || run.steps >= 900"] },
  {
    file: 'mcp shell = "npx -y shell" { env: ["A_B"] } optional',
    lines: [
      'agent mcp1 { model m; tools shell.*; system `Be ${n > 1 ? last : "brief"}.`; prompt `Do.`; effects external }',
      "approve after mcp1 when total > 1 by m",
      "start -> mcp1",
    ],
  },
  {
    file: 'openapi api = "api.yaml" { url: "https://api.example" } optional',
    lines: ["agent api1 { model m; tools api.*; prompt `Do.` }", "start -> api1"],
  },
  {
    file: 'type Kind = "a" | "b" | 3 | true | null\ntype Pair = [Kind, { one: Pair[], two?: Kind }]',
    lines: [
      "state { pairs: Pair[] = [] via union(x => x[0])\n hidden?: Private<string> }",
      "agent pair1(kind: Kind, by1: Json = { }) { model m; prompt `${kind} ${by1} ${hidden?.length}`; writes pairs }",
      'start -> pair1("a", by1: [1, -2.5, null])',
    ],
  },
  {
    file: "config { tries: more + 1, more: 2, cents: $0.25, wait: 90s }",
    lines: [
      "agent conf1 { model m; prompt `${wait} ${cents}`; retry tries on invalid, 1 on transport backoff 500ms; cache by last, n }",
      "start -> conf1 max more",
    ],
  },
  {
    file: 'import { keep, best as top1 } from "./kept.ts"\nmodel dear = "openai/gpt-4o" { price in $2.5, out $10, cached $0.05 }\nmodel quick = ["openai/gpt-4o-mini", dear] { temperature: 0.25 }',
    lines: [
      "state user { ever: int = 0 via max }\n state { top: int = 0 via top1(2) }",
      "agent ctx1 { model quick; context keep; history none; prompt `Do.`; writes ever = result.count.total, top = result.count.total }",
      "start -> ctx1 set last = ctx1_of(last), total = -total",
    ].map((line) => line.replace("ctx1_of(last)", "keep(last)")),
  },
  {
    lines: [
      "state { plan: Plan = { steps: [] }\n results: Json = null }",
      "agent plan1 { model m; prompt `Plan.`; writes plan? }",
      "graph go1 = planGraph(plan) writes results",
      'reduce sum1(of1: int[]) "adds them" = added(of1, start: 0) writes total',
      "start -> plan1 -> go1 -> sum1([1, 2])",
    ],
  },
  {
    lines: [
      "run deep1(it: Json) = work(it)",
      "run deep2(it: Json) = work(it)",
      'start -> each x1 of log parallel n need 1 when x1 != "" on error skip { each y1 of [x1, last] { deep1(y1) } -> deep2(x1) }',
    ],
  },
  {
    lines: [
      "run case1 = work()",
      "run case2 = work()",
      'start -> match last { "a" | "b" -> case1 -> case2, null -> end, else -> { total > 1 -> case2, else -> end } } when n > 1',
    ],
  },
  {
    lines: [
      "graph call1(of2: int) = Called(of2, word: last) writes last { retry 1 }",
      "start -> call1(n)",
    ],
    calls: true,
  },
  {
    lines: ["graph call2 = Round(total) writes last = result.word via replace", "start -> call2"],
    calls: true,
  },
];

/** The graphs that are called: one with names of its own, one that calls itself by way of another. */
const CALLED = `graph Called(n: int, word: string = "") returns word1 {
  state { word1: string = "" }
  agent call3 { model m; prompt \`Do \${n} \${word}.\`; writes word1 }
  start -> call3
}
graph Round(k: int) returns word {
  state { word: string = "" }
  graph back1 = Back(k - 1) writes word
  start -> { k > 0 -> back1, else -> end }
}
graph Back(k: int) returns word {
  state { word: string = "" }
  graph round1 = Round(k) writes word
  start -> round1
}
`;

interface Shape {
  readonly chains: readonly Chain[];
  readonly limit: string | null;
  readonly extras: readonly Extra[];
}

interface Place {
  /** Nothing else of the graph can be at work here, so fields that are replaced may be written. */
  readonly isAlone: boolean;
  /** Nothing follows the chain, so it may end in a loop. */
  readonly canLoop: boolean;
  /** The variable of the `each` around. */
  readonly item: string | undefined;
}

class Writer {
  readonly #functions: readonly string[];
  readonly #nodes: string[] = [];
  #names = 0;
  #items = 0;

  constructor({ functions }: GraphOptions) {
    this.#functions = functions ?? ["work", "more"];
  }

  program({ chains, limit, extras }: Shape): string {
    const isAlone = chains.length === 1 && extras.length === 0;
    const flows = chains.map(
      (chain) => `start -> ${this.#chain(chain, { isAlone, canLoop: true, item: undefined })}`,
    );
    const body = [
      STATE,
      ...this.#nodes,
      ...(limit === null ? [] : [`limit ${limit}`]),
      ...flows,
      ...extras.flatMap((extra) => extra.lines),
    ];
    const isModelUsed = extras.length > 0 || this.#nodes.some((node) => node.startsWith("agent"));
    const file = extras.flatMap((extra) => (extra.file === undefined ? [] : [`${extra.file}\n`]));
    const above = `${isModelUsed ? MODEL : ""}${file.join("")}`;
    const behind = extras.some((extra) => extra.calls === true) ? CALLED : "";
    return `${above}${HEAD}\n${body.map((line) => `  ${line}`).join("\n")}\n}\n${behind}`;
  }

  #chain(chain: Chain, place: Place): string {
    const [step, ...rest] = chain;
    if (step === undefined) return this.#node(plainNode, place);
    // A loop holds the rest of the chain in its `else`, so that going round starts nothing else.
    if (step.kind === "loop" && place.canLoop) return this.#loop(step, rest, place);
    const text = this.#step(step, place);
    return rest.length === 0 ? text : `${text} -> ${this.#chain(rest, place)}`;
  }

  #loop(step: Step & { kind: "loop" }, rest: Chain, place: Place): string {
    const first = this.#node({ ...step.node, arrow: "" }, place);
    const onwards = rest.length === 0 ? "end" : this.#chain(rest, place);
    const [here = first] = first.split("(");
    const condition = step.condition.replace("HERE", here);
    return `${first} -> { ${condition} -> ${first} max ${step.max}, else -> ${onwards} }`;
  }

  #step(step: Step, place: Place): string {
    switch (step.kind) {
      case "node":
      case "loop":
        return this.#node(step.node, place);
      case "fork": {
        const beside = { ...place, isAlone: false };
        const nodes = step.nodes.map((node) => this.#node({ ...node, arrow: "" }, beside));
        return `[${nodes.join(", ")}] -> ${this.#node(plainArrow(step.after), place)}`;
      }
      case "choice": {
        const inside = { ...place, canLoop: false };
        const [first, second] = [this.#chain(step.first, inside), this.#chain(step.second, inside)];
        const after = this.#node(plainArrow(step.after), place);
        return step.condition === "match"
          ? `match mode { "fast" -> ${first}, else -> ${second} } -> ${after}`
          : `{ ${step.condition} -> ${first}, else -> ${second} } -> ${after}`;
      }
      case "each": {
        this.#items += 1;
        const item = `item${this.#items}`;
        const within = { isAlone: false, canLoop: true, item };
        const body = this.#chain(step.body, within);
        const last = `n${this.#names}`;
        const rescue =
          step.rescue && `${last} -> ${this.#node(plainArrow(step.rescue), within)} on error`;
        const own = `own_${item}`;
        const inside =
          rescue === null
            ? ` ${body} `
            : `\n    state { ${own}: int = 0 via max }\n    ${body}\n    ${rescue} when ${own} == 0 set ${own} = 2\n  `;
        const after = this.#node(step.after, place);
        return `each ${item} of ${step.items}${step.options} {${inside}} -> ${after}`;
      }
    }
  }

  #node(shape: NodeShape, { isAlone, item }: Place): string {
    this.#names += 1;
    const name = `n${this.#names}`;
    const field = isAlone && shape.write === 0 ? "last" : (MERGED[shape.write] ?? "log");
    const params = item === undefined ? "" : "(it: Json)";
    const work = this.#functions[shape.function % this.#functions.length] ?? "work";
    const call = `${work}("${name}"${item === undefined ? ", n" : ", it"})`;
    const hole = item === undefined ? "${n}" : "${it}";
    this.#nodes.push(
      shape.word === "run"
        ? `run ${name}${params}${shape.function % 3 === 1 ? ` "runs ${name}"` : ""} = ${call} writes ${field} { ${shape.clauses.join("; ")} }`
        : `agent ${name}${params} "does ${name}" { ${["model m", `prompt \`Do ${name} with ${hole}.\``, `writes ${field}`, ...shape.clauses].join("; ")} }`,
    );
    const given = item === undefined ? "" : `(${item})`;
    return `${name}${given}${shape.arrow}`;
  }
}

/** Behind a group of several ways an arrow counts nothing: it exists once for each of them. */
function plainArrow(shape: NodeShape): NodeShape {
  return { ...shape, arrow: "" };
}

const plainNode: NodeShape = { word: "run", write: 1, clauses: [], function: 0, arrow: "" };

const MODEL = 'model m = "scripted"\n';

const HEAD = `graph Made(n: int = 2) returns log, total, peak, tags, best, last, mode {`;

const STATE = `state {
    log:   string[] = [] via append
    total: int = 0 via sum
    peak:  int = 0 via max
    tags:  string[] = [] via union
    best:  Record<string, int> = {} via merge
    last:  string = ""
    mode:  "fast" | "slow" = "fast"
  }`;

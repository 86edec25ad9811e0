/** The engine's workloads: what goes in, what must come out, and our program for each. */
import { type Scope, scripted, tool } from "../../../runtime/index.ts";

export interface Workload {
  /** How many steps or items: what a cost a step is counted by. */
  readonly steps: number;
  readonly input: Readonly<Record<string, unknown>>;
  /** What both sides must come to, value by value. */
  readonly result: unknown;
  readonly ours: Program;
}

/** A graph of ours; `model` makes a new one for each run, since a scripted model gives each answer once. */
export interface Program {
  readonly text: string;
  readonly scope: Scope;
  readonly model?: () => ReturnType<typeof scripted>;
}

/** `chain 100`, `fan-out 1000`, `loop 1000`, `wide 300`, `react 100`; throws for another kind. */
export function workload(name: string): Workload {
  const [kind = "", size = ""] = name.split(" ");
  const make = kinds[kind];
  if (make === undefined) throw new Error(`there is no workload \`${name}\``);
  // `25x300` are the numbers of a list and the messages to come to.
  return make(Number(size.split("x").at(-1)));
}

const kinds: Readonly<Record<string, (size: number) => Workload>> = {
  chain,
  "fan-out": fanOut,
  loop,
  wide,
  react,
};

function chain(length: number): Workload {
  const names = Array.from({ length }, (_, index) => `n${index}`);
  const text = `graph Chain(first: int) returns x {
  state { x: int = first }
${names.map((name) => `  run ${name} = next(x) writes x`).join("\n")}
  start -> ${names.join(" -> ")} -> end
}`;
  const next = (x: number) => x + 1;
  return {
    steps: length,
    input: { first: 0 },
    result: { x: length },
    ours: { text, scope: { next } },
  };
}

function fanOut(count: number): Workload {
  const text = `graph FanOut(count: int) returns results {
  state {
    items:   int[]
    results: int[] = [] via append
  }
  run list = upTo(count) writes items
  run work(item: int) = twice(item) writes results
  start -> list -> each item of items { work(item) } -> end
}`;
  const items = Array.from({ length: count }, (_, index) => index);
  return {
    steps: count,
    input: { count },
    result: { results: items.map((item) => item * 2) },
    ours: { text, scope: { upTo: () => items, twice: (item: number) => item * 2 } },
  };
}

function loop(times: number): Workload {
  const text = `graph Loop(times: int) returns values {
  state { values: int[] = [] via append }
  run add = sizeOf(values) writes values
  limit 1M steps
  start -> add -> { values.length < times -> add, else -> end }
}`;
  return {
    steps: times,
    input: { times },
    result: { values: Array.from({ length: times }, (_, index) => index) },
    ours: { text, scope: { sizeOf: (values: readonly number[]) => values.length } },
  };
}

/** An item of the lists of `wide`: five dicts of five lists of 25 numbers. */
export function wideItem(): unknown {
  const list = Array.from({ length: 25 }, (_, index) => index);
  const dict = Object.fromEntries(["a", "b", "c", "d", "e"].map((key) => [key, list]));
  return Object.fromEntries(["v", "w", "x", "y", "z"].map((key) => [key, dict]));
}

/** As long as `wide` writes its texts. */
export const WIDE_TEXT = "abcdefghij".repeat(30);

const WIDE_LISTS = ["messages", "trigger_events", "categorizations", "responses"] as const;
const WIDE_FIELDS = [
  ...["medium", "autoresponse", "issue", "relevant_rules", "memory_docs", "subject"],
  ...["product", "region", "urgency", "summary", "closing"],
];

function wide(size: number): Workload {
  const text = `graph Wide(first: Json, size: int) returns messages, responses {
  state {
${WIDE_LISTS.map((name) => `    ${name}: Json[] = ${name === "messages" ? "[first]" : "[]"} via append`).join("\n")}
${WIDE_FIELDS.map((name) => `    ${name}: Json = null`).join("\n")}
  }
  run one   = all(messages) writes trigger_events = result.list, medium = result.text
  run two   = last(trigger_events) writes autoresponse = result.last, issue = result.text
  run three = same(autoresponse) writes relevant_rules
  run four  = all(trigger_events) writes categorizations = result.list, responses = result.list, memory_docs = result.text
  run five  = last(categorizations) writes subject = result.last, product = result.last, region = result.text, urgency = result.text, summary = result.text, closing = result.text
  run six   = same(responses) writes messages
  limit 1M steps
  start -> one -> two -> [three, four]
  [three, four] -> five -> six -> { messages.length > size -> end, else -> one }
}`;
  const first = wideItem();
  const scope = {
    all: (list: readonly unknown[]) => ({ list, text: WIDE_TEXT }),
    last: (list: readonly unknown[]) => ({ last: list.at(-1), text: WIDE_TEXT }),
    same: (value: unknown) => value,
  };
  const { messages, responses, rounds } = wideLengths(size);
  return {
    steps: 6 * rounds,
    input: { first, size },
    result: { messages: Array(messages).fill(first), responses: Array(responses).fill(first) },
    ours: { text, scope },
  };
}

/** How long its lists are once there are more than `size` messages: each round adds one list to the next. */
function wideLengths(size: number) {
  let [messages, events, responses, rounds] = [1, 0, 0, 0];
  while (messages <= size) {
    events += messages;
    responses += events;
    messages += responses;
    rounds += 1;
  }
  return { messages, responses, rounds };
}

/** What the model of `react` asks for, what its tool says, and what it answers in the end. */
export const reactTexts = {
  query: "0123456789abcdef0123456789abcdef0123".repeat(100),
  found: (query: string) => `result for query: ${query}`.repeat(10),
  answer: "an answer ".repeat(60).trim(),
};

function react(calls: number): Workload {
  const text = `model brain = "scripted"
graph React(question: string) returns answer {
  state { answer: string }
  agent solve {
    model  brain
    tools  search
    prompt \`\${question}\`
    writes answer
    limit  1k turns, 1k calls
  }
  start -> solve -> end
}`;
  const { query, found, answer } = reactTexts;
  const search = tool((input: { readonly query: string }) => found(input.query), {
    effect: "none",
    description: "searches",
    input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  });
  const script = [
    ...Array.from({ length: calls }, () => ({ calls: [{ tool: "search", input: { query } }] })),
    { says: answer },
  ];
  return {
    steps: 2 * calls + 1,
    input: { question: "what?" },
    result: { answer },
    ours: { text, scope: { search }, model: () => scripted(script) },
  };
}

/** What random programs are made of: what hangs on what, without names. */
import fc from "fast-check";

/** One part of a way through the graph; each goes on at one place. */
export type Step =
  | { readonly kind: "node"; readonly node: NodeShape }
  /** Several nodes side by side, then their join. */
  | { readonly kind: "fork"; readonly nodes: readonly NodeShape[]; readonly need: number | null }
  /** Several ways side by side, then their join. */
  | { readonly kind: "branches"; readonly ways: readonly Way[]; readonly need: number | null }
  | {
      readonly kind: "choice";
      /** Behind it. */
      readonly after: string;
      readonly condition: string | "match";
      readonly first: Way;
      readonly second: Way;
    }
  | {
      readonly kind: "each";
      readonly items: string;
      readonly options: string;
      /** Which failures of items lead to a node of their own. */
      readonly failing: "" | "error" | "limit" | "deny" | "filter" | "refusal";
      readonly body: Way;
      readonly after: NodeShape;
    }
  /** A node that goes back to itself. */
  | {
      readonly kind: "loop";
      readonly node: NodeShape;
      readonly condition: string;
      readonly max: number;
    }
  /** A way that is gone again and again, with all joins on it. */
  | {
      readonly kind: "round";
      readonly way: Way;
      readonly condition: string;
      readonly max: number;
    }
  /** A node that decides itself where to go on. */
  | {
      readonly kind: "pick";
      readonly node: NodeShape;
      readonly word: "router" | "agent";
      readonly targets: readonly NodeShape[];
      readonly orEnd: boolean;
      /** The first of them goes back so often, where `total` allows it. */
      readonly returns: number;
    }
  /** A node whose failure leads elsewhere. */
  | {
      readonly kind: "rescue";
      readonly node: NodeShape;
      readonly rescue: NodeShape;
      readonly on: "error" | "limit" | "deny" | "filter" | "refusal";
      readonly isBack: boolean;
    }
  /** Another graph. */
  | { readonly kind: "call"; readonly call: CallShape }
  /** A plan, and the graph that is made of it. */
  | { readonly kind: "plan"; readonly plan: NodeShape }
  /** Work that goes on by itself, beside what follows. */
  | { readonly kind: "detach"; readonly node: NodeShape };

export type Way = readonly Step[];

export interface NodeShape {
  readonly word: "run" | "agent" | "tool" | "reduce" | "human" | "operator";
  /** Which of the fields it writes. */
  readonly write: number;
  readonly clauses: readonly string[];
  /** Which of the clauses that only nodes of its word have. */
  readonly own: number;
  /** Behind the arrow to it. */
  readonly arrow: string;
}

export interface CallShape {
  /** Which of the graphs that can be called. */
  readonly graph: number;
  readonly write: number;
  readonly clauses: readonly string[];
}

export interface ProgramShape {
  /** Side by side from the start. */
  readonly ways: readonly Way[];
  readonly limit: string | null;
  readonly endWhen: string | null;
  /** What is said of the graph as a whole and of one of its nodes, `NODE`. */
  readonly statements: readonly string[];
}

/** What a program may have beside nodes, forks, choices, `each`es and loops; each stands for what the engine runs. */
export interface Constructs {
  readonly need: boolean;
  readonly endWhen: boolean;
  readonly calls: boolean;
  readonly detached: boolean;
  /** More clauses of nodes: ones that not every test can follow. */
  readonly clauses: readonly string[];
  readonly eachOptions: readonly string[];
  readonly arrows: readonly string[];
  /** Behind choices. */
  readonly waits: readonly string[];
  /** What `each`es may go over beside lists. */
  readonly items: readonly string[];
  readonly statements: readonly string[];
}

const CONDITIONS = [
  "total > 3",
  "log.length < n",
  "peak >= 2 || log.length > 4",
  "last not in tags && n > 1",
  "tags.some(t => t.length > 2)",
  "Math.max(total + 1, ...[n]) * 2 < peak - n",
  "log.length % 2 == 0",
  "check(total, tags)",
  "helpers.is(peak) || check(n)",
  "tags[0] == last || log[n] == null",
  "run.cost < $3 && total > 1",
] as const;

const CLAUSES = [
  "retry 2",
  "retry n on tool | timeout, 1 on model backoff 1s..20s",
  "limit 3m, 40k tokens",
  "limit 12 turns, 20 calls",
  'ensure log.length >= 0 "the log is a list"',
  "set total = { a: 0, ...{ a: 1 } }.a",
  "set peak = total + 1, tags = [last]",
  "set total = twice(n)",
  "set tags = [last] via append, total = n via max",
  'ensure check(log.length) || n > 0 "it is checked"',
  'ensure log.length < 9 "the log is short" else ask',
  "limit 2 calls, 30 turns else ask",
  "limit $9, 3 errors, 20 steps",
  'ensure "it is right" by m',
  "retry size on transport | invalid | filter | refusal",
  "set peak = total > size ? n : 1",
] as const;

const ITEMS = [
  "[1, 2, 3]",
  "log",
  "tags.slice(0, n)",
  "[]",
  "[...log, ...tags].slice(0, 4)",
  "[1..n]",
] as const;

const EACH_OPTIONS = ["", "", " parallel 1", " parallel n", " parallel 3 on error skip"] as const;

const FAILING = ["", "", "", "error", "error", "limit", "deny", "filter", "refusal"] as const;

const ARROWS = [
  ...(["", "", "", "", " when total < 9", " when check(total)"] as const),
  ...([
    " max 4",
    " max n",
    " set total = 1",
    " set total = twice(n)",
    " set log = [last] via union",
  ] as const),
] as const;

const STATEMENTS = [
  "break before NODE",
  "break after NODE when total > 2",
  "approve before NODE `Shall NODE begin, at ${n}?` within 1h",
  'approve before NODE within 20m..1h then ask "lead" within 2h',
  "approve after NODE when total > 1",
  "defaults { retry 1 on tool }",
] as const;

/** Shapes of programs of a certain size; `depth` bounds how far they nest. */
export function programShape(constructs: Constructs): fc.Arbitrary<ProgramShape> {
  const node = nodeShape(constructs);
  const { way } = fc.letrec<{ way: Way; step: Step }>((tie) => ({
    way: fc.array(tie("step"), { minLength: 1, maxLength: 3, depthIdentifier: "way" }),
    step: fc.oneof(
      { maxDepth: 3, depthIdentifier: "way", withCrossShrink: true },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant("node" as const), node }) },
      { weight: 2, arbitrary: forkShape(node, constructs) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("branches" as const),
          ways: fc.array(tie("way"), { minLength: 2, maxLength: 3, depthIdentifier: "way" }),
          need: needOf(constructs),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("choice" as const),
          after: fc.constantFrom("", ...constructs.waits),
          condition: fc.constantFrom(...CONDITIONS, "match"),
          first: tie("way"),
          second: tie("way"),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant("each" as const),
          items: fc.constantFrom(...ITEMS, ...constructs.items),
          options: fc.constantFrom(...EACH_OPTIONS, ...constructs.eachOptions),
          failing: fc.constantFrom(...FAILING),
          body: tie("way"),
          after: node,
        }),
      },
      { weight: 2, arbitrary: loopShape(node) },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("round" as const),
          way: tie("way"),
          condition: fc.constantFrom(...CONDITIONS),
          max: fc.integer({ min: 1, max: 2 }),
        }),
      },
      { weight: 1, arbitrary: pickShape(node) },
      { weight: 1, arbitrary: rescueShape(node) },
      ...(constructs.calls ? [{ weight: 1, arbitrary: callShape() }] : []),
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant("plan" as const), plan: node }),
      },
      ...(constructs.detached
        ? [
            {
              weight: 2,
              arbitrary: fc.record({ kind: fc.constant("detach" as const), node }),
            },
          ]
        : []),
    ),
  }));
  return fc.record({
    ways: fc.oneof(
      { weight: 3, arbitrary: way.map((one) => [one]) },
      { weight: 1, arbitrary: fc.array(way, { minLength: 2, maxLength: 2 }) },
    ),
    limit: fc.option(fc.constantFrom(...LIMITS), { freq: 2 }),
    statements: fc.subarray([...STATEMENTS, ...constructs.statements], { maxLength: 2 }),
    endWhen: constructs.endWhen
      ? fc.option(fc.constantFrom("total > 12", "log.length > 9"), { freq: 2 })
      : fc.constant(null),
  });
}

const LIMITS = [
  ...(["200 steps", "$3, 20m", "40k tokens, 90 turns", "9 steps"] as const),
  ...(["20 steps else ask", "300 calls, 50 errors, 60 repeats"] as const),
] as const;

function nodeShape({ clauses, arrows }: Constructs): fc.Arbitrary<NodeShape> {
  return fc.record({
    word: fc.constantFrom(...WORDS),
    write: fc.nat({ max: 12 }),
    own: fc.nat({ max: 19 }),
    clauses: fc.subarray([...CLAUSES, ...clauses], { maxLength: 3 }).map(onePerWord),
    arrow: fc.constantFrom(...ARROWS, ...arrows),
  });
}

const WORDS = [
  ...(["run", "run", "run", "run", "agent", "agent", "agent", "agent"] as const),
  ...(["tool", "reduce", "human", "operator"] as const),
] as const;

/** Two clauses of one word are a mistake, except those that add up. */
function onePerWord(clauses: readonly string[]): readonly string[] {
  const word = (clause: string) => clause.split(" ")[0];
  return clauses.filter(
    (clause, index) =>
      word(clause) === "set" ||
      clauses.findIndex((other) => word(other) === word(clause)) === index,
  );
}

function needOf({ need }: Constructs): fc.Arbitrary<number | null> {
  return need ? fc.option(fc.constantFrom(1, 2), { freq: 3 }) : fc.constant(null);
}

function forkShape(node: fc.Arbitrary<NodeShape>, constructs: Constructs): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant("fork" as const),
    nodes: fc.array(node, { minLength: 2, maxLength: 4 }),
    need: needOf(constructs),
  });
}

function loopShape(node: fc.Arbitrary<NodeShape>): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant("loop" as const),
    node,
    condition: fc.constantFrom(...CONDITIONS),
    max: fc.integer({ min: 1, max: 4 }),
  });
}

function pickShape(node: fc.Arbitrary<NodeShape>): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant("pick" as const),
    node,
    word: fc.constantFrom("router" as const, "agent" as const),
    targets: fc.array(node, { minLength: 2, maxLength: 3 }),
    orEnd: fc.boolean(),
    returns: fc.nat({ max: 2 }),
  });
}

function rescueShape(node: fc.Arbitrary<NodeShape>): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant("rescue" as const),
    node,
    rescue: node,
    on: fc.constantFrom(...(["error", "error", "limit", "deny", "filter", "refusal"] as const)),
    isBack: fc.boolean(),
  });
}

function callShape(): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant("call" as const),
    call: fc.record({
      graph: fc.nat({ max: 2 }),
      write: fc.nat({ max: 4 }),
      clauses: fc.subarray(["retry 1", "limit 30 turns"]),
    }),
  });
}

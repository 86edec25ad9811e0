/** The kinds of node, each with all that the language needs to know of it. */
import type { ClauseWord } from "../syntax/words.ts";

export interface NodeKindFacts {
  /** A `body` (`agent a { … }`) or a `call` (`run a = f(x) { … }`). */
  readonly form: "body" | "call";
  /** The worker that runs such a node. */
  readonly worker: "model" | "controller" | "person" | "function" | "graph";
  /** Clauses that mean something in it. */
  readonly clauses: readonly ClauseWord[];
  /** True if it may pick one of several targets, as in `a -> b | c`. */
  readonly mayPick: boolean;
  /** The signs around its name in a Mermaid drawing; no two kinds have the same. */
  readonly shape: readonly [string, string];
}

const EVERY_NODE = [
  ...(["reads", "writes", "state", "effects", "tell", "retry", "limit", "cache"] as const),
  ...(["ensure", "every", "recall", "store", "approve", "set"] as const),
] as const;

const MODEL_CALL = [
  ...EVERY_NODE,
  ...(["model", "system", "prompt", "tools", "skills", "history", "context"] as const),
] as const;

/** To add one: an entry here and its grammar; then the compiler and the tests name what else asks for it. */
export const NODE_KINDS = {
  agent: { form: "body", worker: "model", clauses: MODEL_CALL, mayPick: true, shape: ["[", "]"] },
  operator: {
    form: "body",
    worker: "controller",
    clauses: [...MODEL_CALL, "controller", "session"],
    mayPick: true,
    shape: ["[[", "]]"],
  },
  router: {
    form: "body",
    worker: "model",
    // It decides where to go on and changes nothing.
    clauses: MODEL_CALL.filter((kind) => kind !== "writes" && kind !== "set"),
    mayPick: true,
    shape: ["{{", "}}"],
  },
  human: {
    form: "body",
    worker: "person",
    clauses: [...EVERY_NODE, "ask", "edits"],
    mayPick: false,
    shape: ["[/", "/]"],
  },
  run: { form: "call", worker: "function", clauses: EVERY_NODE, mayPick: true, shape: ["(", ")"] },
  tool: {
    form: "call",
    worker: "function",
    clauses: EVERY_NODE,
    mayPick: false,
    shape: ["([", "])"],
  },
  reduce: {
    form: "call",
    worker: "function",
    clauses: EVERY_NODE,
    mayPick: false,
    shape: [">", "]"],
  },
  graph: {
    form: "call",
    worker: "graph",
    clauses: EVERY_NODE,
    mayPick: false,
    shape: ["[(", ")]"],
  },
} as const satisfies Readonly<Record<string, NodeKindFacts>>;

export type NodeKind = keyof typeof NODE_KINDS;

/** The kinds of one form: those whose name is followed by a body, or by a call. */
export type NodeKindOf<Form extends NodeKindFacts["form"]> = {
  [Kind in NodeKind]: (typeof NODE_KINDS)[Kind]["form"] extends Form ? Kind : never;
}[NodeKind];

/** The kinds for which `holds`, in the order of the table. */
export function nodeKindsWhere(holds: (facts: NodeKindFacts) => boolean): readonly NodeKind[] {
  return (Object.keys(NODE_KINDS) as NodeKind[]).filter((kind) => holds(NODE_KINDS[kind]));
}

/**
 * Returns whether a node of this kind calls a function of the scope: it may return a command, and a
 * test calls it without a script.
 */
export function callsFunction(kind: NodeKind): boolean {
  return NODE_KINDS[kind].worker === "function";
}

/**
 * Returns whether an answer of such a node that does not fit goes back to its author in the same
 * conversation.
 */
export function isAnswerRepaired(kind: NodeKind): boolean {
  const { worker } = NODE_KINDS[kind];
  return worker === "model" || worker === "controller";
}

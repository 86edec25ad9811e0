/** The checked program as plain JSON: what the engine runs, and what a run is stored with. */
import type { LimitUnit } from "../vocabulary/limits.ts";
import type { NodeKind } from "../vocabulary/node-kinds.ts";
import type { ArgIr, EntryIr, ExprIr, SpanIr, TypeIr } from "./ir-expression.ts";

export type { LimitUnit } from "../vocabulary/limits.ts";
export type { NodeKind } from "../vocabulary/node-kinds.ts";
export type * from "./ir-expression.ts";

/**
 * The checked program as plain JSON: one `Ir` a graph, complete in itself. It is what the engine runs, what is stored
 * with a run, and what the text and the TypeScript builder both become. `hash` is the sha256 of its canonical JSON
 * without `hash`, `source`, `graphs` and every `span`. Lists keep the order of the text, which is the order of the graph.
 */
export const IR_VERSION = 1;

export interface Ir {
  readonly irVersion: typeof IR_VERSION;
  readonly hash: string;
  readonly source?: { readonly file: string; readonly text: string };
  readonly name: string;
  readonly description?: string;
  /**
   * The imports of the file that the graph uses, in the file's order. A type of TypeScript stands
   * under `types` like one of the file, once its shape is known (`CheckOptions.types`).
   */
  readonly imports: readonly ImportIr[];
  readonly models: readonly ModelIr[];
  readonly mcps: readonly McpIr[];
  readonly types: readonly { readonly name: string; readonly type: TypeIr }[];
  readonly config: readonly EntryIr[];
  readonly memories: readonly MemoryIr[];
  readonly params: readonly ParamIr[];
  readonly returns: readonly string[];
  readonly fields: readonly FieldIr[];
  readonly nodes: readonly NodeIr[];
  readonly edges: readonly EdgeIr[];
  readonly limit?: LimitIr;
  readonly approvals: readonly ApproveIr[];
  readonly breaks: readonly BreakIr[];
  readonly endWhen: readonly ExprIr[];
  /** The graphs that its nodes of kind `graph` call, each once; absent where it calls none that is known. */
  readonly calls?: readonly CallIr[];
  /**
   * All graphs that it calls, directly or through others, each once and each in the names of its own file, so that a
   * stored run needs no other file. They are found by their hash, and so are not part of it; a `source` that is absent is
   * the one of this graph. `calledGraph` takes one out.
   */
  readonly graphs?: readonly CalledIr[];
  readonly span?: SpanIr;
}

export type CalledIr = Omit<Ir, "graphs">;

/** `name` is how the nodes say it. `round` stands for the hash where the called graph calls this one, directly or not. */
export type CallIr =
  | { readonly name: string; readonly hash: string }
  | { readonly name: string; readonly round: string };

/**
 * A name that TypeScript brings. Nothing of another `.madrigal` file is one: what a graph uses of it stands in the IR
 * itself, in the names of the importing file, so that the hash depends on what is imported and not on where it stands.
 * What that file has from TypeScript in turn is one: `from` is then its path from the importing file.
 */
export interface ImportIr {
  readonly name: string;
  /** The name inside the graph. */
  readonly as: string;
  readonly from: string;
}

export interface ModelIr {
  readonly name: string;
  /** An id, or a list of ids and aliases (names of kind `model`), of which the first that works answers. */
  readonly value: ExprIr;
  readonly options?: ExprIr;
  readonly price?: PriceIr;
  readonly span?: SpanIr;
}

/** US dollars for a million tokens. */
export interface PriceIr {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had in its cache; as `input` where it is absent. */
  readonly cached?: number;
}

/** A server of tools, or an HTTP API whose operations are tools. */
export interface McpIr {
  readonly protocol?: "openapi";
  readonly name: string;
  readonly value: ExprIr;
  readonly options?: ExprIr;
  readonly optional: boolean;
}

export interface MemoryIr {
  readonly name: string;
  /** Its owner; absent, the user of the run, or nobody where the run has no user. */
  readonly scope?: "thread" | "user" | "agent" | "workspace";
  readonly type: TypeIr;
  readonly by?: ExprIr;
  readonly options?: ExprIr;
}

export interface ParamIr {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeIr;
  readonly default?: ExprIr;
  readonly span?: SpanIr;
}

export interface FieldIr {
  readonly name: string;
  readonly scope: "run" | "thread" | "user" | "agent" | "item";
  /** For scope `agent`: the node whose body declares it; for scope `item`: the id of the `each` whose items have it. */
  readonly owner?: string;
  readonly optional: boolean;
  readonly type: TypeIr;
  readonly default?: ExprIr;
  readonly reducer: ReducerIr;
  readonly span?: SpanIr;
}

/** `name` is `replace`, `append`, `union`, `merge`, `sum`, `max`, `min`, or a function of the scope (`custom`). */
export interface ReducerIr {
  readonly name: string;
  readonly custom: boolean;
  readonly args: readonly ExprIr[];
}

/** Clauses of `defaults { }` are already merged in. */
export interface NodeIr {
  readonly name: string;
  readonly kind: NodeKind;
  readonly description?: string;
  readonly params: readonly ParamIr[];
  /** The `each` whose items this node runs for; absent at the top level. A node belongs to one scope. */
  readonly each?: string;
  readonly model?: ExprIr;
  readonly system?: ExprIr;
  readonly prompt?: ExprIr;
  /** After the time the answer is `otherwise`, and without that a no. */
  readonly ask?: WaitIr & {
    readonly question: ExprIr;
    readonly from?: ExprIr;
    /** The number of the persons of a list who must say yes; absent: all of them. */
    readonly need?: CountIr;
    readonly then?: readonly EscalationIr[];
    readonly otherwise?: ExprIr;
  };
  readonly tools: readonly DottedIr[];
  readonly skills: readonly ExprIr[];
  readonly controller?: { readonly name: DottedIr; readonly args: readonly ArgIr[] };
  readonly session?: {
    readonly policy: "new" | "reuse" | "resume";
    readonly name?: string;
    readonly value?: ExprIr;
  };
  /** For `run`, `tool`, `reduce`, `graph`. */
  readonly call?: { readonly callee: DottedIr; readonly args: readonly ArgIr[] };
  readonly reads?: readonly string[];
  /** Those of `reads` that concurrent nodes may write: read as they were before the branches split. Absent where there are none. */
  readonly earlier?: readonly string[];
  readonly edits: readonly string[];
  readonly writes: readonly WriteIr[];
  /**
   * The fields of the type `Messages` that an agent, a person or a strong agent writes by their names alone: they get what was
   * said in the node run, and are no part of the output. Absent where there are none.
   */
  readonly conversation?: readonly string[];
  readonly sets: readonly AssignIr[];
  readonly effects?: "none" | "workspace" | "external";
  /** `payload`: what is told, where it is not the output. */
  readonly tell?: {
    readonly targets: readonly string[] | "*";
    readonly as?: string;
    readonly payload?: ExprIr;
  };
  readonly retry?: RetryIr;
  readonly limit?: LimitIr;
  readonly cache?: { readonly ttlMs?: number; readonly by: readonly ExprIr[] };
  readonly ensures: readonly EnsureIr[];
  readonly every?: {
    readonly interval: ExprIr;
    readonly intervalMax?: ExprIr;
    readonly until?: ExprIr;
    readonly by?: string;
    readonly max?: CountIr;
  };
  readonly history?: {
    readonly source: "none" | "own" | "inbox" | "thread" | "field";
    /** The name of the field of the type `Messages`, where the source is one. */
    readonly field?: ExprIr & { readonly kind: "name" };
    /** A number of `messages` is one of a field alone. */
    readonly size?: QuantityIr | { readonly unit: "messages"; readonly value: number };
    readonly summarize: boolean;
  };
  readonly context?: ExprIr;
  readonly recalls: readonly {
    readonly memory: string;
    readonly top?: CountIr;
    readonly by?: ExprIr;
  }[];
  readonly stores: readonly { readonly value: ExprIr; readonly memory: string }[];
  readonly approvals: readonly {
    readonly when: "before" | "after" | "tool";
    readonly tools: readonly DottedIr[];
    readonly consent: ConsentIr;
  }[];
  /**
   * The node's output type as JSON Schema (draft 2020-12, `$defs` inlined unless recursive): of the written field, or
   * an object of all written fields. Absent where nothing is written.
   */
  readonly output?: JsonSchema;
  readonly span?: SpanIr;
}

export type JsonSchema = { readonly [key: string]: unknown };

/** `browser.click` is `["browser", "click"]`; a last `"*"` stands for all. */
export type DottedIr = readonly string[];

export interface WriteIr {
  readonly field: string;
  readonly optional: boolean;
  /** The part of the output that is written; absent means the output itself (or its member of this name). */
  readonly value?: ExprIr;
  readonly via?: ReducerIr;
}

export interface AssignIr {
  readonly field: string;
  readonly value: ExprIr;
  /** A built-in reducer without arguments. */
  readonly via?: ReducerIr;
}

export type CountIr = number | { readonly name: string };

export type QuantityIr =
  | { readonly unit: "ms" | "usd"; readonly value: number }
  | { readonly unit: LimitUnit; readonly value: number };

export interface LimitIr {
  readonly quantities: readonly QuantityIr[];
  readonly elseAsk: boolean;
  /**
   * The longest wait for an answer in milliseconds, where somebody is asked; then the answer is a
   * no.
   */
  readonly withinMs?: number;
  readonly span?: SpanIr;
}

export type RetryClass =
  | "transport"
  | "model"
  | "filter"
  | "refusal"
  | "invalid"
  | "tool"
  | "timeout";

export interface RetryIr {
  /** Further attempts; an empty `on` means every class that can be retried. */
  readonly rules: readonly { readonly count: CountIr; readonly on: readonly RetryClass[] }[];
  readonly backoffMs?: { readonly from: number; readonly to?: number };
}

export interface EnsureIr {
  readonly condition: ExprIr;
  readonly hint?: string;
  readonly by?: string;
  readonly elseAsk: boolean;
  /**
   * The longest wait for an answer in milliseconds, where somebody is asked; then the answer is a
   * no.
   */
  readonly withinMs?: number;
  readonly span?: SpanIr;
}

/** The time, in milliseconds, that an answer is waited for, and that between two reminders of who is asked. */
export interface WaitIr {
  readonly withinMs?: number;
  readonly remindMs?: number;
}

export interface ConsentIr extends WaitIr {
  readonly text?: ExprIr;
  readonly when?: ExprIr;
  readonly by?: string;
  readonly from?: ExprIr;
  readonly need?: CountIr;
  readonly then?: readonly EscalationIr[];
}

/** A person who is asked where nobody before has answered within the time; without `withinMs` for ever. */
export interface EscalationIr extends WaitIr {
  readonly to: ExprIr;
  readonly need?: CountIr;
}

export interface ApproveIr {
  readonly when: "before" | "after";
  readonly nodes: readonly string[];
  readonly consent: ConsentIr;
}

export interface BreakIr {
  readonly when: "before" | "after";
  readonly nodes: readonly string[];
  readonly condition?: ExprIr;
}

// ── flow ────────────────────────────────────────────────────────────────────────────────────────

/**
 * A chain `a -> b -> c` is two edges. An edge of an `each` body stands in that `each`. What follows a group is an edge
 * from the group: `a -> [b, c] -> d` is `a -> [b, c]` and `[b, c] -> d`; `a -> { p -> x, else -> y } -> z` is the
 * choice and `x | y -> z`; what follows an `each` is its `then`.
 */
export interface EdgeIr {
  readonly from: SourceIr;
  readonly on: "done" | "error" | "limit" | "deny" | "filter" | "refusal";
  readonly route: RouteIr;
  readonly span?: SpanIr;
}

export type SourceIr =
  | { readonly kind: "start" }
  /** Any of the nodes, each time that one ends; one name for a plain edge. */
  | { readonly kind: "any"; readonly nodes: readonly string[] }
  | { readonly kind: "join"; readonly nodes: readonly string[]; readonly need?: CountIr };

export type RouteIr = RouteTo & RouteClauses & { readonly span?: SpanIr };

export type RouteTo =
  /** All of the targets; one for a plain edge. */
  | { readonly kind: "to"; readonly targets: readonly TargetIr[] }
  /** One of them, by a router's decision or an agent's handoff. */
  | { readonly kind: "pick"; readonly targets: readonly TargetIr[] }
  /** The first branch whose condition holds (no condition: always) and which is not used up. */
  | {
      readonly kind: "choice";
      readonly branches: readonly { readonly when?: ExprIr; readonly route: RouteIr }[];
    }
  | {
      readonly kind: "match";
      readonly subject: ExprIr;
      readonly cases: readonly {
        readonly values?: readonly (string | number | boolean | null)[];
        readonly route: RouteIr;
      }[];
    }
  | { readonly kind: "each"; readonly each: EachIr };

export interface RouteClauses {
  readonly when?: ExprIr;
  readonly max?: CountIr;
  readonly afterMs?: number;
  readonly sets?: readonly AssignIr[];
  readonly detached?: boolean;
}

export interface EachIr {
  /** Unique in the graph: the variable's name, then `name#2`, … in the order of the text. */
  readonly id: string;
  readonly variable: string;
  readonly items: ExprIr;
  readonly parallel?: CountIr;
  readonly need?: CountIr;
  readonly when?: ExprIr;
  readonly onErrorSkip: boolean;
  /** The route on which each item starts, with the item's variable in scope. */
  readonly entry: RouteIr;
  readonly edges: readonly EdgeIr[];
  /** The route behind the join of all items, in the outer scope. */
  readonly then?: RouteIr;
  /**
   * The routes, also in the outer scope, for items that fail without an arrow of their own for
   * that.
   */
  readonly failing?: readonly FailingIr[];
}

export interface FailingIr {
  readonly on: Exclude<EdgeIr["on"], "done">;
  readonly route: RouteIr;
}

export interface TargetIr {
  /** A node, `end`, or `return`: back to the node that handed the work over. */
  readonly node: string;
  readonly args: readonly ArgIr[];
  readonly label?: string;
  readonly span?: SpanIr;
}

/** The tree that the parser makes: what the person wrote, with spans, before any name is resolved. */

import type { Span } from "../../diagnostics/source.ts";
import type { NodeKindOf } from "../../vocabulary/node-kinds.ts";
import type { ScriptWord } from "../words.ts";
import type {
  ArgAst,
  AssignAst,
  CountAst,
  DottedAst,
  ExprAst,
  Name,
  ObjectAst,
  StringLiteral,
  TemplateAst,
  TypeAst,
  ViaAst,
} from "./ast-expression.ts";
import type { FlowDecl } from "./ast-flow.ts";
import type { StateDecl } from "./ast-state.ts";

export type * from "./ast-expression.ts";
export type * from "./ast-flow.ts";
export type * from "./ast-state.ts";

export interface FileAst {
  readonly kind: "file";
  readonly items: readonly TopItem[];
  readonly span: Span;
}

export type TopItem =
  | ImportDecl
  | ModelDecl
  | McpDecl
  | TypeDecl
  | MemoryDecl
  | ConfigDecl
  | GraphDecl
  | TestDecl;

export interface ImportDecl {
  readonly kind: "import";
  readonly names: readonly { readonly name: Name; readonly as?: Name }[];
  readonly from: StringLiteral;
  readonly span: Span;
}

export interface ModelDecl {
  readonly kind: "model";
  readonly name: Name;
  /** An id, or a list of ids and aliases that are asked in turn. */
  readonly value: ExprAst;
  readonly options?: ObjectAst;
  /** The parts of its price, in the order of the text; absent where it says none. */
  readonly price?: readonly PricePart[];
  readonly span: Span;
}

/** `price in $3`, or a further part behind it: `out $15`. Dollars for a million tokens. */
export interface PricePart {
  /** The word before the part: `price`, which the first one has. */
  readonly lead?: Name;
  /** `in`, `out` or `cached`. */
  readonly part: Name;
  readonly usd: number;
  readonly span: Span;
}

/** `mcp files = "…"`, a server of tools, or `openapi weather = "…"`, an HTTP API whose operations are tools. */
export interface McpDecl {
  readonly kind: "mcp";
  readonly protocol?: "openapi";
  readonly name: Name;
  readonly value: ExprAst;
  readonly options?: ObjectAst;
  readonly optional: boolean;
  readonly span: Span;
}

export interface TypeDecl {
  readonly kind: "type";
  readonly name: Name;
  readonly type: TypeAst;
  readonly span: Span;
}

export interface MemoryDecl {
  readonly kind: "memory";
  readonly name: Name;
  /** Its owner; absent, the user of the run. */
  readonly scope?: "thread" | "user" | "agent" | "workspace";
  readonly type: TypeAst;
  readonly by?: ExprAst;
  readonly options?: ObjectAst;
  readonly span: Span;
}

export interface ConfigDecl {
  readonly kind: "config";
  readonly value: ObjectAst;
  readonly span: Span;
}

export interface GraphDecl {
  readonly kind: "graph";
  readonly name: Name;
  readonly params: readonly Param[];
  readonly returns: readonly Name[];
  readonly description?: StringLiteral;
  readonly items: readonly GraphItem[];
  readonly span: Span;
}

export interface Param {
  readonly name: Name;
  readonly optional: boolean;
  readonly type: TypeAst;
  readonly value?: ExprAst;
  readonly span: Span;
}

export type GraphItem =
  | StateDecl
  | MemoryDecl
  | DefaultsDecl
  | NodeDecl
  | CallDecl
  | LimitClause
  | ApproveDecl
  | BreakDecl
  | FlowDecl
  | EndWhenDecl;

export interface DefaultsDecl {
  readonly kind: "defaults";
  readonly clauses: readonly Clause[];
  readonly span: Span;
}

export interface NodeDecl {
  readonly kind: "node";
  readonly word: NodeKindOf<"body">;
  readonly name: Name;
  readonly params: readonly Param[];
  readonly description?: StringLiteral;
  readonly clauses: readonly Clause[];
  readonly span: Span;
}

export interface CallDecl {
  readonly kind: "call";
  readonly word: NodeKindOf<"call">;
  readonly name: Name;
  readonly params: readonly Param[];
  readonly description?: StringLiteral;
  readonly callee: DottedAst;
  readonly args: readonly ArgAst[];
  readonly writes?: WritesClause;
  readonly clauses: readonly Clause[];
  readonly span: Span;
}

export interface ApproveDecl {
  readonly kind: "approve";
  readonly when: "before" | "after";
  readonly nodes: readonly Name[];
  readonly consent: ConsentAst;
  readonly span: Span;
}

export interface BreakDecl {
  readonly kind: "break";
  readonly when: "before" | "after";
  readonly nodes: readonly Name[];
  readonly condition?: ExprAst;
  readonly span: Span;
}

export interface EndWhenDecl {
  readonly kind: "end-when";
  readonly condition: ExprAst;
  readonly span: Span;
}

/** `3m`, `$2`, `40k tokens`, `60 steps`. */
export type QuantityAst =
  | { readonly kind: "duration"; readonly ms: number; readonly span: Span }
  | { readonly kind: "money"; readonly usd: number; readonly span: Span }
  | { readonly kind: "amount"; readonly value: number; readonly unit: Name; readonly span: Span };

/** `within 1d`, `within 2h..1d`: until when somebody is waited for, and how often they are reminded until then. */
export interface WaitAst {
  readonly withinMs?: number;
  /** The range: the time between two reminders, and where it stands. */
  readonly remind?: { readonly ms: number; readonly span: Span };
}

export interface ConsentAst extends WaitAst {
  readonly text?: TemplateAst;
  readonly when?: ExprAst;
  readonly by?: Name;
  readonly from?: ExprAst;
  readonly need?: CountAst;
  readonly then?: readonly EscalationAst[];
}

/** `then ask "lead" within 1d`: who is asked where nobody before has answered in time. */
export interface EscalationAst extends WaitAst {
  readonly to: ExprAst;
  readonly need?: CountAst;
}

export interface WriteAst {
  readonly field: Name;
  readonly optional: boolean;
  readonly value?: ExprAst;
  readonly via?: ViaAst;
  readonly span: Span;
}

/** `else ask within 1h`: whether somebody is asked instead of failing, and how long an answer is waited for. */
export interface ElseAskAst {
  readonly elseAsk: boolean;
  readonly withinMs?: number;
}

export interface LimitClause extends ElseAskAst {
  readonly kind: "limit";
  readonly quantities: readonly QuantityAst[];
  readonly span: Span;
}

export interface WritesClause {
  readonly kind: "writes";
  readonly writes: readonly WriteAst[];
  readonly span: Span;
}

export type Clause =
  | { readonly kind: "model"; readonly value: ExprAst; readonly span: Span }
  | { readonly kind: "system"; readonly value: ExprAst; readonly span: Span }
  | { readonly kind: "prompt"; readonly value: ExprAst; readonly span: Span }
  | (WaitAst & {
      readonly kind: "ask";
      readonly value: ExprAst;
      readonly from?: ExprAst;
      /** `from persons need 2`: how many of them must say yes; without it all of them. */
      readonly need?: CountAst;
      readonly then?: readonly EscalationAst[];
      /** `within 2h else "no"`: the answer where nobody has given one by then. */
      readonly otherwise?: ExprAst;
      readonly span: Span;
    })
  | { readonly kind: "tools"; readonly tools: readonly DottedAst[]; readonly span: Span }
  | { readonly kind: "skills"; readonly skills: readonly ExprAst[]; readonly span: Span }
  | {
      readonly kind: "controller";
      readonly name: DottedAst;
      readonly args: readonly ArgAst[];
      readonly span: Span;
    }
  | {
      readonly kind: "session";
      readonly policy: "new" | "reuse" | "resume";
      readonly name?: Name;
      readonly value?: ExprAst;
      readonly span: Span;
    }
  | {
      readonly kind: "reads";
      readonly fields: readonly Name[];
      /** Those of them that `earlier` stands before; absent where there are none. */
      readonly earlier?: readonly Name[];
      readonly span: Span;
    }
  | { readonly kind: "edits"; readonly fields: readonly Name[]; readonly span: Span }
  | WritesClause
  | (StateDecl & { readonly kind: "state" })
  | {
      readonly kind: "effects";
      readonly level: "none" | "workspace" | "external";
      readonly span: Span;
    }
  | {
      readonly kind: "tell";
      /** Empty means `*`: the nodes that follow. */
      readonly targets: readonly Name[];
      readonly as?: Name;
      /** The object that is told instead of the output. */
      readonly payload?: ExprAst;
      readonly span: Span;
    }
  | {
      readonly kind: "retry";
      readonly rules: readonly { readonly count: CountAst; readonly on: readonly Name[] }[];
      readonly backoffMs?: { readonly from: number; readonly to?: number };
      readonly span: Span;
    }
  | LimitClause
  | {
      readonly kind: "cache";
      readonly ttlMs?: number;
      readonly by: readonly ExprAst[];
      readonly span: Span;
    }
  | {
      readonly kind: "ensure";
      readonly condition: ExprAst;
      /** The words fed back to the model; for `"…" by m` the condition itself is the string. */
      readonly hint?: StringLiteral;
      readonly by?: Name;
      readonly elseAsk: boolean;
      readonly withinMs?: number;
      readonly span: Span;
    }
  | {
      readonly kind: "every";
      readonly interval: ExprAst;
      readonly intervalMax?: ExprAst;
      readonly until?: ExprAst;
      readonly by?: Name;
      readonly max?: CountAst;
      readonly span: Span;
    }
  | {
      readonly kind: "history";
      readonly source: "none" | "own" | "inbox" | "thread" | "field";
      /** The field of the type `Messages`, where the source is one. */
      readonly field?: Name;
      readonly size?: QuantityAst;
      readonly summarize: boolean;
      readonly span: Span;
    }
  | { readonly kind: "context"; readonly value: ExprAst; readonly span: Span }
  | {
      readonly kind: "recall";
      readonly memory: Name;
      readonly top?: CountAst;
      readonly by?: ExprAst;
      readonly span: Span;
    }
  | { readonly kind: "store"; readonly value: ExprAst; readonly memory: Name; readonly span: Span }
  | {
      readonly kind: "approve";
      readonly when: "before" | "after" | "tool";
      /** For `tool`: the tools meant; empty means `*`. */
      readonly tools: readonly DottedAst[];
      readonly consent: ConsentAst;
      readonly span: Span;
    }
  | { readonly kind: "set"; readonly assigns: readonly AssignAst[]; readonly span: Span };

// ── tests ───────────────────────────────────────────────────────────────────────────────────────

export interface TestDecl {
  readonly kind: "test";
  readonly title: StringLiteral;
  readonly of: Name;
  readonly items: readonly TestItem[];
  readonly span: Span;
}

/** The value behind `expires` is null. */
export interface ScriptLineAst {
  readonly how: ScriptWord;
  readonly value: ExprAst;
}

export type TestItem =
  | { readonly kind: "given"; readonly assigns: readonly AssignAst[]; readonly span: Span }
  | {
      readonly kind: "script";
      readonly node: Name;
      /** The nodes inside the graph that it calls, outermost first: `b` and `c` of `a/b/c says 1`. */
      readonly inside: readonly Name[];
      readonly lines: readonly ScriptLineAst[];
      readonly span: Span;
    }
  /** `for any input`, `for any a, b when a > b`: the names whose values are generated. */
  | {
      readonly kind: "any-input";
      readonly names: readonly Name[];
      readonly when?: ExprAst;
      readonly span: Span;
    }
  /** `in any order`. */
  | { readonly kind: "any-order"; readonly span: Span }
  | { readonly kind: "expect-path"; readonly path: readonly Name[]; readonly span: Span }
  /** `expect b was told Attack { strength: 3 }`. */
  | {
      readonly kind: "expect-told";
      readonly node: Name;
      readonly as: Name;
      readonly payload?: ExprAst;
      readonly span: Span;
    }
  | { readonly kind: "expect"; readonly condition: ExprAst; readonly span: Span };

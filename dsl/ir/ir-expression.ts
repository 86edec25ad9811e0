/** Types and expressions of the IR. */

export type TypeIr =
  | { readonly kind: "named"; readonly name: string; readonly args: readonly TypeIr[] }
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | {
      readonly kind: "object";
      /** The JSDoc of a type of TypeScript, which models and people are shown. */
      readonly description?: string;
      readonly members: readonly {
        readonly name: string;
        readonly optional: boolean;
        readonly type: TypeIr;
        readonly description?: string;
      }[];
    }
  | { readonly kind: "array"; readonly of: TypeIr }
  | { readonly kind: "tuple"; readonly types: readonly TypeIr[] }
  | { readonly kind: "union"; readonly types: readonly TypeIr[] };

/**
 * The meaning of a name in an expression. `variable`: an `each` variable or a lambda's parameter;
 * `argument`: a parameter of the node; `param`: of the graph; `field`: of the state; `special`:
 * `state result call inbox run team artifacts`, `Math` and `Object` with their pure functions, and `visits` and `round`,
 * whose argument is a `node`; `config`, `model`, `memory`, `type`: of the file;
 * `scope`: a TypeScript function or value.
 */
export type NameMeaning =
  | "variable"
  | "argument"
  | "param"
  | "field"
  | "special"
  | "config"
  | "model"
  | "memory"
  | "type"
  | "node"
  | "scope";

export type ExprIr = { readonly span?: SpanIr } & (
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** In arithmetic and comparison a duration is its milliseconds, money its dollars. */
  | { readonly kind: "duration"; readonly ms: number }
  | { readonly kind: "money"; readonly usd: number }
  | { readonly kind: "name"; readonly name: string; readonly of: NameMeaning }
  | {
      readonly kind: "member";
      readonly object: ExprIr;
      readonly name: string;
      readonly optional: boolean;
    }
  | { readonly kind: "index"; readonly object: ExprIr; readonly index: ExprIr }
  | { readonly kind: "call"; readonly callee: ExprIr; readonly args: readonly ArgIr[] }
  | { readonly kind: "unary"; readonly op: "!" | "-"; readonly operand: ExprIr }
  | {
      readonly kind: "binary";
      readonly op:
        | "=="
        | "!="
        | "<"
        | "<="
        | ">"
        | ">="
        | "in"
        | "&&"
        | "||"
        | "??"
        | "+"
        | "-"
        | "*"
        | "/"
        | "%";
      readonly left: ExprIr;
      readonly right: ExprIr;
    }
  | {
      readonly kind: "conditional";
      readonly test: ExprIr;
      readonly then: ExprIr;
      readonly else: ExprIr;
    }
  | { readonly kind: "lambda"; readonly params: readonly string[]; readonly body: ExprIr }
  | { readonly kind: "list"; readonly items: readonly ExprIr[] }
  /** The items of a list, in a list; the members of an object, in a merge. */
  | { readonly kind: "spread"; readonly value: ExprIr }
  /** All whole numbers from one to the other, both included; in a list. */
  | { readonly kind: "range"; readonly from: ExprIr; readonly to: ExprIr }
  /** An object made of objects and spreads, of which a later one wins. */
  | { readonly kind: "merge"; readonly parts: readonly ExprIr[] }
  | { readonly kind: "object"; readonly entries: readonly EntryIr[] }
  | { readonly kind: "template"; readonly parts: readonly (string | ExprIr)[] }
);

/** `[start, end]` in UTF-16 offsets of `source.text`; never part of the hash. */
export type SpanIr = readonly [number, number];

export interface ArgIr {
  readonly label?: string;
  readonly value: ExprIr;
}

export interface EntryIr {
  readonly key: string;
  readonly value: ExprIr;
}

/** The options of the builder's calls. A string among them is text of the language, as it would stand there. */

/** Text of the language: an expression, a type, or what stands behind a word. */
export type Text = string;

/** One or several of what the language separates by commas. */
export type Texts = Text | readonly Text[];

/**
 * An expression. A string is text of the language (`"width - 1"`, and a string of it is `'"fast"'`); everything else is
 * the value itself, and strings inside of it are strings.
 */
export type BuilderValue = Text | number | boolean | null | readonly JsonOption[] | JsonObject;

/** A value as it is. */
export type JsonOption = string | number | boolean | null | readonly JsonOption[] | JsonObject;

/** An object as it is. */
export interface JsonObject {
  readonly [key: string]: JsonOption;
}

/**
 * Text for a model or a person: plain text with holes, `"Split ${question}"`. A backslash keeps a
 * hole from being one: `"\\${"`. Where no text is meant, an expression: `{ expression:
 * "brief(task)" }`.
 */
export type BuilderWords = string | { readonly expression: Text };

/** `3`, or the name of a parameter or setting. */
export type Count = number | Text;

/** `{ at: "at + 1" }`, or the text behind `set`. */
export type Assigns = Text | Readonly<Record<string, BuilderValue>>;

/** `"string[] = [] via append"`, or its parts. */
export type Field =
  | Text
  | { readonly type: Text; readonly default?: BuilderValue; readonly via?: Text };

/** Fields by name; a name that ends in `?` may stay unwritten. */
export type Fields = Readonly<Record<string, Field>>;

/** `"int = 4"`, or its parts. */
export type BuilderParam = Text | { readonly type: Text; readonly default?: BuilderValue };

/** Parameters by name; one whose name ends in `?` may be left out. */
export type Params = Readonly<Record<string, BuilderParam>>;

/** A question to a person, with the time limit and the default of its answer. */
export interface HumanQuestion {
  readonly question: BuilderWords;
  /** The person or the persons who are asked, as behind `from`: `'["ann", "bob"]'`. */
  readonly from?: Text;
  /** The number of these persons who must say yes; without it, all of them. */
  readonly need?: Count;
  /** The longest wait for an answer: `"2h"`. */
  readonly within?: Text;
  /** The persons who are asked next, and how long: `[{ ask: '"lead"', within: "1d" }]`. */
  readonly then?: readonly { readonly ask: Text; readonly need?: Count; readonly within?: Text }[];
  /** The answer where nobody has given one by then; without it, the answer is a no. */
  readonly else?: Text;
}

/** The clauses of a node, each under its word. */
export interface Clauses {
  /** The alias of a declared model. */
  readonly model?: Text;
  readonly system?: BuilderWords;
  readonly prompt?: BuilderWords;
  readonly ask?: BuilderWords | HumanQuestion;
  /** `["docs.search", "browser.*"]` */
  readonly tools?: Texts;
  readonly skills?: Texts;
  /** `"claude_code(workspace: \".\")"` */
  readonly controller?: Text;
  /** `"new"`, `"reuse name"` or `"resume expression"` */
  readonly session?: Text;
  readonly reads?: Texts;
  readonly edits?: Texts;
  /** `["tasks", "patch = result.diff via replace", "notes?"]` */
  readonly writes?: Texts;
  /** Fields of this node's own. */
  readonly state?: Fields;
  readonly effects?: "none" | "workspace" | "external";
  /** `"b as review"`, `"*"`, or `"b as Attack { target, strength: 2 }"` */
  readonly tell?: Texts;
  /** `2`, or `"2 on tool | timeout backoff 1s..20s"` */
  readonly retry?: Count;
  /** `"3m, $0.50, 40k tokens"` */
  readonly limit?: Text;
  /** `"1d by url"`; `true` for the word alone. */
  readonly cache?: Text | true;
  /** `'tasks.length <= width "too many searches"'`; several in a list. */
  readonly ensure?: Texts;
  /** `"1h until price < target max 48"` */
  readonly every?: Text;
  /** `"none"`, `"40k tokens summarize"` */
  readonly history?: Text;
  readonly context?: Text;
  /** `"plans top 3"`; several in a list. */
  readonly recall?: Texts;
  /** `"{ task, steps } in plans"`; several in a list. */
  readonly store?: Texts;
  /** ``"before `Start?` within 1h"``; several in a list. */
  readonly approve?: Texts;
  readonly set?: Assigns;
}

/** The owner of a memory, its key and its settings. */
export interface BuilderMemory {
  readonly scope?: "thread" | "user" | "agent" | "workspace";
  readonly by?: Text;
  readonly settings?: Text | JsonObject;
}

/** A node of the words `agent`, `operator`, `human`, `router`. */
export interface NodeOptions extends Clauses {
  /** Meaning, no comment: routers, handoffs and agent cards say it. */
  readonly description?: string;
  readonly params?: Params;
}

/** A node of the words `run`, `tool`, `reduce`, `graph`. */
export interface CallOptions extends Clauses {
  /** As of `NodeOptions`. */
  readonly description?: string;
  readonly params?: Params;
}

/** A node where an arrow leads: `"plan"`, with arguments `"search(task)"`, with a label `'boss "asks"'`. */
export type Ref<Nodes extends string> =
  | Nodes
  | "end"
  | `${Nodes}(${string}`
  | `${Nodes | "end"} ${string}`;

/**
 * The source of an arrow: a node, several nodes that are joined (a list), or whichever of several
 * arrives.
 */
export type ArrowSource<Nodes extends string> =
  | Nodes
  | "start"
  | readonly Nodes[]
  | { readonly join: readonly Nodes[]; readonly need?: Count }
  | { readonly any: readonly Nodes[] };

/** The clauses of an arrow, which the text has behind its target. */
export interface ArrowOptions {
  readonly when?: Text;
  readonly max?: Count;
  /** `"5m"` */
  readonly after?: Text;
  readonly on?: "error" | "limit" | "deny" | "filter" | "refusal";
  readonly detached?: true;
  readonly set?: Assigns;
}

/**
 * The target of an arrow: a node, all of a list, one of several, a choice, a match, or an `each`.
 */
export type Hop<Nodes extends string> =
  | Ref<Nodes>
  | readonly Ref<Nodes>[]
  | ({ readonly to: Ref<Nodes> | readonly Ref<Nodes>[] } & ArrowOptions)
  | ({ readonly oneOf: readonly Ref<Nodes>[] } & ArrowOptions)
  | ({ readonly choice: readonly Branch<Nodes>[] } & ArrowOptions)
  | ({ readonly match: Text; readonly cases: readonly Branch<Nodes>[] } & ArrowOptions)
  | EachHop<Nodes>;

/**
 * The condition or the values of a branch, or `"else"`, and the hops that follow: `["shipIt",
 * "end"]`, `['"web" | "files"', "search", "read"]`.
 */
export type Branch<Nodes extends string> = readonly [Text, Hop<Nodes>, ...Hop<Nodes>[]];

/** An arrow in the body of an `each`: its source, and the hops that follow. */
export type InnerArrow<Nodes extends string> = readonly [
  ArrowSource<Nodes>,
  Hop<Nodes>,
  ...Hop<Nodes>[],
];

/** One sub-flow for each item. */
export interface EachHop<Nodes extends string> {
  /** The item's name inside. */
  readonly each: Text;
  readonly of: Text;
  readonly parallel?: Count;
  readonly need?: Count;
  /** The condition on an item; items that do not meet it are left out. */
  readonly when?: Text;
  readonly onError?: "skip";
  /** The fields of each item's own, which its nodes share. */
  readonly state?: Fields;
  /** The hops of one item; a list is a chain. */
  readonly body: Hop<Nodes> | readonly [Hop<Nodes>, ...Hop<Nodes>[]];
  /** The further arrows between the nodes of the body, a source with its hops each: `["search", { to: "sorry", on: "error" }]`. */
  readonly arrows?: readonly InnerArrow<Nodes>[];
  /** The clauses behind the closing brace of the `each`. */
  readonly arrow?: ArrowOptions;
}

/** A test of the graph; as a string, what stands in its braces. */
export type BuilderTestOptions =
  | Text
  | {
      readonly given?: Assigns;
      /** The parameters and fields whose values are generated, perhaps with a condition: `"a, b when a > b"`. */
      readonly forAny?: Text;
      /** The expectations hold in whichever order parallel attempts end. */
      readonly inAnyOrder?: true;
      /** The scripted results of each node, one line a visit. */
      readonly says?: Readonly<Record<string, readonly BuilderLine[]>>;
      readonly path?: readonly string[];
      readonly expect?: Texts;
    };

/** A value that a scripted node returns, the failure that it ends with, or what happens on the way. */
export type BuilderLine = BuilderValue | Failing | Answering;

export interface Failing {
  readonly fails: BuilderValue;
}

/** The answer to a question about the node, or a call of a tool by its model: one of these members. */
export type Answering =
  | { readonly denied: BuilderValue }
  | { readonly answers: BuilderValue }
  | { readonly expires: true }
  | { readonly calls: BuilderValue };

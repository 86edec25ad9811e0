/** The rewrites from a long form of a text to a short one: each finds places, whether the meaning stays is judged elsewhere. */
import { canonicalJson, withoutSpans } from "../ir/hash.ts";
import { type TreeObject, walk } from "../ir/visit-tree.ts";
import type {
  Clause,
  EachAst,
  FileAst,
  FlowDecl,
  GraphDecl,
  HopAst,
  ObjectAst,
  WriteAst,
} from "../syntax/tree/ast.ts";
import { sharedFlow } from "./shared-flow.ts";

/** A part of a text, and what stands there instead. */
export interface ShortEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Rewrite {
  /** The short form, as people are told. */
  readonly says: string;
  /** `same` if the graph keeps its hash, `said` if it only does the same. */
  readonly keeps: "same" | "said";
  edits(ast: FileAst, text: string): readonly ShortEdit[];
}

export const rewrites: readonly Rewrite[] = [
  {
    says: "`{ a }` for `{ a: a }`",
    keeps: "same",
    edits: (ast) =>
      editsOfParts(ast, "object", (object) => shortKeys(object as unknown as ObjectAst)),
  },
  {
    says: "`==` and `!=` for `===` and `!==`",
    keeps: "same",
    edits: (ast, text) => editsOfParts(ast, "binary", (binary) => shortEquals(binary, text)),
  },
  {
    says: "`a not in b` for `!(a in b)`",
    keeps: "same",
    edits: (ast, text) => editsOfParts(ast, "unary", (unary) => notIn(unary, text)),
  },
  {
    says: "one arrow of several nodes, `a | b -> c`",
    keeps: "said",
    edits: (ast, text) => [
      ...editsOfParts(ast, "graph", ({ items }) => sharedArrows(items, text)),
      ...editsOfParts(ast, "each", ({ flows }) => sharedArrows(flows, text)),
    ],
  },
  {
    says: "`writes list` for `writes list = [result]`",
    keeps: "said",
    edits: (ast) =>
      editsOfParts(ast, "graph", (graph) => plainWrites(graph as unknown as GraphDecl)),
  },
];

function editsOfParts(
  ast: FileAst,
  kind: string,
  edits: (part: TreeObject) => readonly ShortEdit[],
): readonly ShortEdit[] {
  const all: ShortEdit[] = [];
  walk(ast, (part) => {
    if (part.kind === kind) all.push(...edits(part));
  });
  return all;
}

function shortKeys({ entries }: ObjectAst): readonly ShortEdit[] {
  if (entries === undefined) return [];
  return entries.flatMap(({ key, value }) => {
    if (value?.kind !== "name" || value.text !== key.text) return [];
    return [{ start: key.span.start, end: value.span.end, text: key.text }];
  });
}

interface Spanned {
  readonly span: { readonly start: number; readonly end: number };
}

function shortEquals({ left, right }: TreeObject, text: string): readonly ShortEdit[] {
  const [start, end] = [(left as Spanned).span.end, (right as Spanned).span.start];
  const long = /^[\s)]*([=!]==)[\s(]*$/.exec(text.slice(start, end))?.[1];
  if (long === undefined) return [];
  const at = start + text.slice(start, end).indexOf(long);
  return [{ start: at, end: at + long.length, text: long.slice(0, 2) }];
}

function notIn({ op, operand, span }: TreeObject, text: string): readonly ShortEdit[] {
  const inner = operand as TreeObject;
  if (op !== "!" || inner.kind !== "binary" || inner.op !== "in") return [];
  const [left, right] = [inner.left as Spanned, inner.right as Spanned];
  const { start, end } = span as Spanned["span"];
  const bare = `!(${text.slice(left.span.start, right.span.end)})`;
  if (text.slice(start, end) !== bare) return [];
  const value = (part: Spanned) => text.slice(part.span.start, part.span.end);
  return [{ start, end, text: `${value(left)} not in ${value(right)}` }];
}

/** Arrows that follow each other and lead to the same places, or each to all the others. */
function sharedArrows(items: unknown, text: string): readonly ShortEdit[] {
  if (!Array.isArray(items)) return [];
  const edits: ShortEdit[] = [];
  const flows: readonly FlowDecl[] = items.filter(({ kind }) => kind === "flow");
  for (let index = 0; index < flows.length; index++) {
    const run = flows.slice(index, index + 1);
    let shared: string | undefined;
    for (const next of flows.slice(index + 1)) {
      const last = run.at(-1);
      if (last === undefined || text.slice(last.span.end, next.span.start).trim() !== "") break;
      const longer = sharedFlow([...run, next], text);
      if (longer === undefined) break;
      shared = longer;
      run.push(next);
    }
    const [first, last] = [run[0], run.at(-1)];
    if (shared === undefined || first === undefined || last === undefined) continue;
    edits.push({ start: first.span.start, end: last.span.end, text: shared });
    index += run.length - 1;
  }
  return edits;
}

/** Models and people give one item of a list of texts that grows, where they choose no target. */
function plainWrites({ items }: GraphDecl): readonly ShortEdit[] {
  const fields = items.flatMap((item) => (item.kind === "state" ? item.fields : []));
  const growing = new Set(
    fields
      .filter(({ type, via }) => via?.name.text === "append" && isTexts(type))
      .map(({ name }) => name.text),
  );
  const choosing = choosers(items);
  return items.flatMap((item) => {
    if (item.kind !== "node" || item.word === "router" || choosing.has(item.name.text)) return [];
    if (item.clauses.some((clause) => clause.kind === "ask" && clause.from !== undefined))
      return [];
    return item.clauses.flatMap((clause) => plainWrite(clause, growing));
  });
}

function plainWrite(clause: Clause, growing: ReadonlySet<string>): readonly ShortEdit[] {
  if (clause.kind !== "writes" || clause.writes.length !== 1) return [];
  return clause.writes.flatMap(({ field, optional, value, via, span }: WriteAst) => {
    const isItem = value?.kind === "list" && value.items.length === 1;
    const item = isItem ? value.items[0] : undefined;
    const isResult = item?.kind === "name" && item.text === "result";
    if (!isResult || optional || via !== undefined || !growing.has(field.text)) return [];
    return [{ ...span, text: field.text }];
  });
}

function isTexts(type: unknown): boolean {
  const texts = { kind: "array-type", of: { kind: "named", args: [] } };
  const { of, ...rest } = withoutSpans(type) as TreeObject;
  const { name, ...named } = (of ?? {}) as TreeObject;
  const isList = canonicalJson({ ...rest, of: named }) === canonicalJson(texts);
  return isList && canonicalJson(name).includes('"string"');
}

/** The nodes behind which an arrow leads to one of several, in chains, branches and bodies too. */
function choosers(items: GraphDecl["items"]): ReadonlySet<string> {
  const names = new Set<string>();
  const addChain = (hops: readonly HopAst[], first: readonly string[]) => {
    let before = first;
    for (const hop of hops) {
      const refs = "refs" in hop ? hop.refs.map(({ node }) => node.text) : [];
      if (hop.kind === "one-of" && refs.length > 1) for (const name of before) names.add(name);
      before = refs;
    }
  };
  walk(items, (part) => {
    if (part.kind === "flow") {
      const { source, hops } = part as unknown as FlowDecl;
      addChain(
        hops,
        source.nodes.map(({ text }) => text),
      );
    }
    if (part.kind === "each") addChain((part as unknown as EachAst).body, []);
    if (Array.isArray(part.hops) && part.kind === undefined) addChain(part.hops, []);
  });
  return names;
}

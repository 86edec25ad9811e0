/** The rewrites from a long form of a text to a short one: each finds places, whether the meaning stays is judged elsewhere. */
import { canonicalJson, withoutSpans } from "../ir/hash.ts";
import { type TreeObject, walk } from "../ir/visit-tree.ts";
import type {
  Clause,
  EachAst,
  ExprAst,
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
    edits: (ast) => editsOfParts(ast, "object", shortKeys),
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
    says: "`each x of xs { a(x) -> b }` for arrows of one chain on lines of their own",
    keeps: "same",
    edits: (ast, text) => editsOfParts(ast, "each", (each) => oneChain(each, text)),
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
    edits: (ast) => editsOfParts(ast, "graph", plainWrites),
  },
];

/** The parts of a syntax tree that rewrites look at, by their kind. */
interface PartsByKind {
  readonly binary: ExprAst & { readonly kind: "binary" };
  readonly unary: ExprAst & { readonly kind: "unary" };
  readonly object: ObjectAst;
  readonly graph: GraphDecl;
  readonly flow: FlowDecl;
  readonly each: EachAst;
}

function editsOfParts<Kind extends keyof PartsByKind>(
  tree: unknown,
  kind: Kind,
  edits: (part: PartsByKind[Kind]) => readonly ShortEdit[],
): readonly ShortEdit[] {
  return partsOf(tree, kind).flatMap(edits);
}

function partsOf<Kind extends keyof PartsByKind>(
  tree: unknown,
  kind: Kind,
): readonly PartsByKind[Kind][] {
  const parts: TreeObject[] = [];
  walk(tree, (part) => {
    if (part.kind === kind) parts.push(part);
  });
  // The kind of a part says its type, which a walk over everything can't know.
  return parts as unknown as readonly PartsByKind[Kind][];
}

function shortKeys({ entries }: ObjectAst): readonly ShortEdit[] {
  if (entries === undefined) return [];
  return entries.flatMap(({ key, value }) => {
    if (value?.kind !== "name" || value.text !== key.text) return [];
    return [{ start: key.span.start, end: value.span.end, text: key.text }];
  });
}

function shortEquals({ left, right }: PartsByKind["binary"], text: string): readonly ShortEdit[] {
  const [start, end] = [left.span.end, right.span.start];
  const long = /^[\s)]*([=!]==)[\s(]*$/.exec(text.slice(start, end))?.[1];
  if (long === undefined) return [];
  const at = start + text.slice(start, end).indexOf(long);
  return [{ start: at, end: at + long.length, text: long.slice(0, 2) }];
}

function notIn(
  { op, operand, span: { start, end } }: PartsByKind["unary"],
  text: string,
): readonly ShortEdit[] {
  if (op !== "!" || operand.kind !== "binary" || operand.op !== "in") return [];
  const { left, right } = operand;
  const bare = `!(${text.slice(left.span.start, right.span.end)})`;
  if (text.slice(start, end) !== bare) return [];
  const value = ({ span }: ExprAst) => text.slice(span.start, span.end);
  return [{ start, end, text: `${value(left)} not in ${value(right)}` }];
}

/** The first arrows of a body, each from the node that the one before leads to. */
function oneChain({ body, flows }: EachAst, text: string): readonly ShortEdit[] {
  const edits: ShortEdit[] = [];
  let last = body.at(-1);
  for (const { source, hops } of flows) {
    const [first] = hops;
    if (last?.kind !== "one-of" || last.refs.length !== 1 || first === undefined) break;
    const { start, end } = { start: last.span.end, end: first.span.start };
    // A comment between them would be lost.
    const isNext = text.slice(start, end).trim() === `${last.refs[0]?.node.text} ->`;
    if (source.kind !== "any" || !isNext) break;
    edits.push({ start, end, text: " -> " });
    last = hops.at(-1);
  }
  return edits;
}

/** Arrows that follow each other and lead to the same places, or each to all the others. */
function sharedArrows(
  items: GraphDecl["items"] | EachAst["flows"],
  text: string,
): readonly ShortEdit[] {
  const edits: ShortEdit[] = [];
  const flows = items.flatMap((item) => (item.kind === "flow" ? [item] : []));
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
  for (const { source, hops } of partsOf(items, "flow"))
    addChain(
      hops,
      source.nodes.map(({ text }) => text),
    );
  for (const { body } of partsOf(items, "each")) addChain(body, []);
  walk(items, (part) => {
    if (Array.isArray(part.hops) && part.kind === undefined) addChain(part.hops, []);
  });
  return names;
}

/** Reads a piece of text alone and lists its contents, so that one call of the builder adds one thing. */
import type { Finding } from "../diagnostics/diagnostic.ts";
import { parse } from "../syntax/parse.ts";
import type { FlowDecl, GraphDecl, GraphItem, HopAst, Param, TopItem } from "../syntax/tree/ast.ts";
import type { BuilderPart, PartPlace } from "./part.ts";

/** Reads one part alone: what is wrong with it, in places of its text. */
export function faultsOf(part: BuilderPart): readonly Finding[] {
  const [before, behind] = AROUND[part.place];
  const { ast, findings } = parse({ file: part.call, text: `${before}${part.text}${behind}` });
  const end = part.text.length;
  const within = (offset: number) => Math.min(Math.max(offset - before.length, 0), end);
  if (findings.length > 0) {
    return findings.map((finding) => ({
      ...withoutRelated(finding),
      span: { start: within(finding.span.start), end: within(finding.span.end) },
    }));
  }
  const found = contentsOf(ast.items, part.place);
  if (isAsked(part.contents, found)) return [];
  return [
    {
      code: "M1101",
      message: `the text of this call is read as \`${found}\`, not as \`${part.contents}\``,
      span: { start: 0, end },
      hint: "write one part in each call, and look for a comma, a brace or a `//` too many",
    },
  ];
}

/** Between names; no name that reads holds it. */
export const AND = " and ";

/** The contents of an arrow with so many hops. */
export function flowContents(hops: number): string {
  return `arrow with ${hops} ${hops === 1 ? "hop" : "hops"}`;
}

/** The contents of a node: its head, the names of its parameters, the words of its clauses. */
export function nodeContents(node: {
  readonly head: string;
  readonly params?: readonly string[];
  readonly clauses: readonly string[];
}): string {
  return `${node.head}(${(node.params ?? []).join(AND)}): ${node.clauses.join(AND)}`;
}

/** An arrow with any number of hops. */
export const ANY_FLOW = "arrow";

const AROUND: Readonly<Record<PartPlace, readonly [string, string]>> = {
  file: ["", "\n"],
  test: ["", "\n"],
  param: ["graph G(", ") { }\n"],
  returns: ["graph G() returns ", " { }\n"],
  description: ["graph G() ", " { }\n"],
  item: ["graph G {\n", "\n}\n"],
};

function withoutRelated({ related: _related, ...finding }: Finding): Finding {
  return finding;
}

function isAsked(asked: string, found: string): boolean {
  return found === asked || (asked === ANY_FLOW && found.startsWith(`${ANY_FLOW} `));
}

function contentsOf(items: readonly TopItem[], place: PartPlace): string {
  if (place === "file" || place === "test") return items.map(topContents).join("; ");
  const [graph, ...others] = items;
  if (graph?.kind !== "graph" || others.length > 0) return "something else than a part of a graph";
  return [...headContents(graph), ...graph.items.map(itemContents)].join("; ");
}

function headContents({ params, returns, description }: GraphDecl): readonly string[] {
  return [
    ...params.map((param) => `param ${paramName(param)}`),
    ...(returns.length === 0 ? [] : [`returns ${returns.map(({ text }) => text).join(AND)}`]),
    ...(description === undefined ? [] : ["description"]),
  ];
}

function topContents(item: TopItem): string {
  switch (item.kind) {
    case "import":
      return `import ${item.names.map(({ name, as }) => (as ?? name).text).join(AND)}`;
    case "config":
      return "config";
    case "test":
      return "test";
    case "mcp":
      return `${item.protocol ?? item.kind} ${item.name.text}`;
    default:
      return `${item.kind} ${item.name.text}`;
  }
}

function itemContents(item: GraphItem): string {
  switch (item.kind) {
    case "state":
      return `state ${item.scope}: ${item.fields.map(({ name }) => name.text).join(AND)}`;
    case "defaults":
      return nodeContents({ head: "defaults", clauses: item.clauses.map(kindOf) });
    case "node":
    case "call": {
      const writes = item.kind === "call" && item.writes !== undefined ? [item.writes] : [];
      return nodeContents({
        head: `${item.word} ${item.name.text}`,
        params: item.params.map(paramName),
        clauses: [...writes, ...item.clauses].map(kindOf),
      });
    }
    case "memory":
      return `memory ${item.name.text}`;
    case "flow":
      return flowContents(hopCount(item));
    default:
      return item.kind;
  }
}

function paramName({ name, optional }: Param): string {
  return `${name.text}${optional ? "?" : ""}`;
}

function kindOf({ kind }: { readonly kind: string }): string {
  return kind;
}

function hopCount({ hops }: FlowDecl): number {
  return hops.reduce((count, hop) => count + insideCount(hop), 0);
}

/** A comment in a branch would swallow the rest of its line, so hops are counted inside too. */
function insideCount(hop: HopAst): number {
  switch (hop.kind) {
    case "choice":
      return 1 + sum(hop.branches.flatMap(({ hops }) => hops.map(insideCount)));
    case "match":
      return 1 + sum(hop.cases.flatMap(({ hops }) => hops.map(insideCount)));
    case "each":
      return 1 + sum(hop.body.map(insideCount)) + sum(hop.flows.map(hopCount));
    default:
      return 1;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Completes a text literal of a query with names of the notebook's graphs. */
import type { Ir } from "../../../dsl/index.ts";
import { RUN_STATUSES } from "../../run-statuses.ts";
import type { CellCursor, CompletionItem, Completions } from "../service.ts";
import { macroWords } from "./sql-words.ts";

/** Undefined where the place is in no text; a text of which nothing is known gets no offers. */
export function completeLiteral(
  { code, offset }: CellCursor,
  irs: readonly Ir[],
): Completions | undefined {
  const quote = openQuote(code.slice(0, offset));
  if (quote === undefined) return undefined;
  const before = code.slice(0, quote);
  const written = code.slice(quote + 1, offset);
  const path = /^\$[.]?(?:.*[.])?/.exec(written)?.[0] ?? "";
  const start = quote + 1 + path.length;
  const rest = /^[^'\n.]*/.exec(code.slice(offset))?.[0].length ?? 0;
  const end = code.charAt(offset + rest) === "'" ? offset + rest : offset;
  const left = code.slice(start, offset);
  const items = unique(offeredIn(before, path !== "", irs)).filter(({ text }) =>
    text.toLowerCase().startsWith(left.toLowerCase()),
  );
  return { items, start, end };
}

const PIECES = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*"?|'(?:[^']|'')*('?)/g;

/** Returns the offset of the string that is open at the end; undefined if none is. */
function openQuote(before: string): number | undefined {
  const last = [...before.matchAll(PIECES)].at(-1);
  if (last === undefined || last.index + last[0].length < before.length) return undefined;
  return last[0].startsWith("'") && (last[1] !== "'" || last[0].length === 1)
    ? last.index
    : undefined;
}

function offeredIn(before: string, isPath: boolean, irs: readonly Ir[]): readonly CompletionItem[] {
  if (isPath || /->>?\s*$/.test(before)) return keysOf(before, irs);
  const column =
    /([\p{L}_][\p{L}\p{N}_]*)\s*(?:=|<>|!=|\bI?LIKE\b|\bIN\s*\((?:\s*'[^']*'\s*,)*)\s*$/iu.exec(
      before,
    );
  if (column !== null) return valuesOf(column[1] ?? "", irs);
  const call = /([\p{L}_][\p{L}\p{N}_]*)\s*\(([^()]*)$/u.exec(before);
  return call === null
    ? []
    : argumentsOf(call[1] ?? "", (call[2] ?? "").split(",").length - 1, irs);
}

/** Returns the values that a column of that name may hold. */
function valuesOf(column: string, irs: readonly Ir[]): readonly CompletionItem[] {
  const name = column.toLowerCase();
  if (NODE_COLUMNS.has(name)) return nodesOf(irs);
  if (name === "graph") return graphsOf(irs);
  if (name === "field") return fieldsOf(irs);
  if (name === "label") return nodesOf(irs, "#1");
  if (name === "status") return RUN_STATUSES.map((text) => ({ text, type: "status" }));
  return [];
}

const NODE_COLUMNS: ReadonlySet<string> = new Set(
  "node agent sender receiver recipient error_node reader writer".split(" "),
);

/**
 * Returns the values that a parameter of a macro takes; those of `what` are in its documentation,
 * in backticks.
 */
function argumentsOf(macro: string, index: number, irs: readonly Ir[]): readonly CompletionItem[] {
  const { signature = "", note = "" } = macroWords(macro) ?? {};
  const parameter = signature.slice(1, -1).split(", ")[index];
  switch (parameter) {
    case "graph_name":
      return graphsOf(irs);
    case "at_path":
      return fieldsOf(irs);
    case "node_run_label":
      return nodesOf(irs, "#1");
    case "what":
    case "kind_of":
      return [...note.matchAll(/`(\w+)`/g)].map(([, text = ""]) => ({ text, type: "value" }));
    default:
      return [];
  }
}

/**
 * Returns the keys of a column: for the input its parameters, for the output its results, else all
 * fields.
 */
function keysOf(before: string, irs: readonly Ir[]): readonly CompletionItem[] {
  const column = /([\p{L}_][\p{L}\p{N}_]*)\s*(?:->>?|,)\s*$/u.exec(before)?.[1]?.toLowerCase();
  if (column === "input")
    return irs.flatMap(({ name, params }) =>
      params.map((one) => item(one.name, "parameter", name)),
    );
  if (column === "output")
    return irs.flatMap(({ name, returns }) => returns.map((one) => item(one, "field", name)));
  return fieldsOf(irs);
}

function graphsOf(irs: readonly Ir[]): readonly CompletionItem[] {
  return irs.map(({ name }) => ({ text: name, type: "graph" }));
}

function nodesOf(irs: readonly Ir[], behind = ""): readonly CompletionItem[] {
  return irs.flatMap(({ name, nodes }) =>
    nodes.map((node) => item(`${node.name}${behind}`, node.kind, name)),
  );
}

function fieldsOf(irs: readonly Ir[]): readonly CompletionItem[] {
  return irs.flatMap(({ name, fields }) => fields.map((field) => item(field.name, "field", name)));
}

function item(text: string, type: string, graph: string): CompletionItem {
  return { text, type, signature: `of ${graph}` };
}

function unique(items: readonly CompletionItem[]): readonly CompletionItem[] {
  const known = new Set<string>();
  return items.filter(({ text }) => !known.has(text) && known.add(text) !== undefined);
}

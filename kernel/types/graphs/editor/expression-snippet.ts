/** Writes an unfinished expression of a graph as TypeScript in which its names have their types. */
import { KNOWN_TYPES } from "../../../../dsl/index.ts";
import type { TextName } from "./names-in-text.ts";

export interface Snippet {
  readonly text: string;
  /** The cursor; what stands before it is what stands before it in the cell, as far back as the expression goes. */
  readonly offset: number;
}

export function expressionSnippet(
  code: string,
  offset: number,
  names: readonly TextName[],
): Snippet {
  const inScope = names.filter((name) => isSeen(name, offset, names));
  const types = names.filter(({ kind }) => kind === "type");
  const declared = [
    "type Private<T> = T;",
    ...OTHER_TYPES.map((name) => `type ${name} = ${name === "int" ? "number" : "any"};`),
    ...types.map(({ start, end }) => `${code.slice(start, end)};`),
    ...inScope.map(({ name, type = "any" }) => `declare let ${name}: ${type};`),
    ...itemsOf(code, new Set(inScope.map(({ name }) => name))),
    ...resultOf(offset, names),
  ].join("\n");
  const text = `${declared}\n${expressionBefore(code, offset)}`;
  return { text, offset: text.length };
}

const IN_TYPESCRIPT = new Set([
  "string",
  "number",
  "boolean",
  "any",
  "unknown",
  "null",
  "object",
  "Record",
  "Array",
  "ReadonlyArray",
  "Private",
  "Partial",
  "Pick",
  "Omit",
  "Date",
]);
const OTHER_TYPES = KNOWN_TYPES.filter((name) => /^\w+$/.test(name) && !IN_TYPESCRIPT.has(name));

/** Fields of its graph, parameters of that and of the node around it. */
function isSeen(
  { kind, start, graph }: TextName,
  offset: number,
  names: readonly TextName[],
): boolean {
  if (kind !== "field" && kind !== "parameter") return false;
  const around = names.findLast((one) => one.kind === "graph" && one.start <= offset);
  if (around !== undefined && graph !== around.name) return false;
  if (kind === "field") return true;
  const node = nodeAround(start, names);
  return node === undefined || node === nodeAround(offset, names);
}

function nodeAround(offset: number, names: readonly TextName[]): TextName | undefined {
  return names.find(
    ({ graph, writes, start, end }) =>
      graph !== undefined && writes !== undefined && start <= offset && offset <= end,
  );
}

/** `each task of tasks` names an item of what is a list. */
function itemsOf(code: string, known: ReadonlySet<string>): readonly string[] {
  const items = code.matchAll(
    /\beach\s+([\p{L}_$][\p{L}\p{N}_$]*)\s+of\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu,
  );
  return [...items].flatMap(([, item = "", list = ""]) =>
    known.has(item) || !known.has(list) ? [] : [`declare let ${item}: (typeof ${list})[number];`],
  );
}

/**
 * Returns the declaration of `result` for conditions of the node: the type of its one field, or an
 * object of several.
 */
function resultOf(offset: number, names: readonly TextName[]): readonly string[] {
  const node = nodeAround(offset, names);
  const written = (node?.writes ?? []).flatMap((field) =>
    names.filter((one) => one.kind === "field" && one.name === field && one.graph === node?.graph),
  );
  const [only] = written;
  if (only === undefined) return [];
  const members = written.map(({ name, type = "any" }) => `${name}: ${type}`).join("; ");
  const type = written.length === 1 ? (only.type ?? "any") : `{ ${members} }`;
  return [`declare let result: ${type};`];
}

/** Back to the hole, the word or the sign that the expression stands behind. */
function expressionBefore(code: string, offset: number): string {
  const before = code.slice(0, offset);
  const hole = before.lastIndexOf("${");
  if (hole > before.lastIndexOf("}") || (hole >= 0 && isOpen(before.slice(hole + 2))))
    return before.slice(hole + 2);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.replace(BOUNDARY, "");
}

function isOpen(text: string): boolean {
  let depth = 1;
  for (const character of text) {
    if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    if (depth === 0) return false;
  }
  return true;
}

const BOUNDARY =
  /^.*(?:\b(?:ensure|when|until|match|from|store|of|cache|context|tools|skills|controller|prompt|system|ask|given|expect|says|after|max)\b|=(?![=>])|->|[,{;])\s*/;

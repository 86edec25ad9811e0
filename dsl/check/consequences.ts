/** Removes findings that only follow from a part of the text that the parser skipped. */
import type { Code } from "../codes.ts";
import type { Finding } from "../diagnostics/diagnostic.ts";
import { lineText, positionAt, type Source, type Span } from "../diagnostics/source.ts";
import type { GraphDecl } from "../syntax/tree/ast.ts";

/** Findings of the kind "nothing is called so", which a declaration that could not be read brings about. */
const UNKNOWN: readonly Code[] = [
  "M2101",
  "M2102",
  "M2103",
  "M2104",
  "M2105",
  "M2106",
  "M2108",
  "M2109",
  "M2110",
  "M2112",
  "M3101",
];

/** Findings of the kind "this node lacks a clause", which a clause that could not be read brings about. */
const LACKING: readonly Code[] = ["M4001", "M4002"];

/** A text of which the parser had to skip something. */
export interface BrokenText {
  readonly syntax: readonly Finding[];
  readonly source: Source;
}

/**
 * One fault, one error: where the parser had to skip something, nothing more is said about that line. A name that the
 * text seems to declare somewhere (`agent x`, `x: Type`, `model x = …`) is not reported as unknown, a node whose body
 * could not be read as lacking something, and the half of a condition that could be read (`n` in `n = 3`) not as a
 * wrong one.
 */
export function withoutConsequences(
  findings: readonly Finding[],
  broken: BrokenText,
  graph?: GraphDecl,
): readonly Finding[] {
  if (broken.syntax.length === 0) return findings;
  const { source } = broken;
  const { declared, lines } = whatIsLeft(broken);
  return findings.filter(({ code, span }) => {
    if (lines.has(positionAt(source, span.start).line)) return false;
    if (code === "M3602") return !isTestHalfRead(span, broken);
    if (LACKING.includes(code)) return !isHalfRead(span, broken.syntax, graph);
    if (code === "M3218") return !isCutOff(span, broken);
    return !UNKNOWN.includes(code) || !declared.has(source.text.slice(span.start, span.end));
  });
}

/**
 * Returns whether a syntax error lies in the node of this name, or in the `defaults` of its graph.
 */
function isHalfRead(name: Span, syntax: readonly Finding[], graph: GraphDecl | undefined): boolean {
  const bodies = (graph?.items ?? []).filter(
    (item) =>
      item.kind === "defaults" || (item.kind === "node" && item.name.span.start === name.start),
  );
  return syntax.some(({ span }) =>
    bodies.some((body) => span.start >= body.span.start && span.start <= body.span.end),
  );
}

/**
 * Returns whether a syntax error lies in the test that begins at this span, up to its closing
 * brace.
 */
function isTestHalfRead({ start }: Span, { syntax, source }: BrokenText): boolean {
  const length = source.text.slice(start).search(/^}/m);
  const end = length === -1 ? source.text.length : start + length;
  return syntax.some(({ span }) => span.start >= start && span.start <= end);
}

/** Returns whether a syntax error follows the span with nothing but spaces and `)` between them. */
function isCutOff({ end }: Span, { syntax, source }: BrokenText): boolean {
  return syntax.some(
    ({ span }) => span.start >= end && /^[\s)]*$/.test(source.text.slice(end, span.start)),
  );
}

interface WhatIsLeft {
  /** Names that the text seems to declare. */
  readonly declared: ReadonlySet<string>;
  /** The numbers of the lines with a syntax error. */
  readonly lines: ReadonlySet<number>;
}

// Asked for every graph of a text.
const known = new WeakMap<Source, WhatIsLeft>();

function whatIsLeft({ source, syntax }: BrokenText): WhatIsLeft {
  const before = known.get(source);
  if (before !== undefined) return before;
  const lines = new Set(syntax.map(({ span }) => positionAt(source, span.start).line));
  const unread = [...lines].map((line) => lineText(source, line));
  const declared = new Set([...declaredIn(source.text), ...unread.flatMap(wordsOf)]);
  const left = { declared, lines };
  known.set(source, left);
  return left;
}

const declaring =
  /\b(?:agent|operator|human|router|run|tool|reduce|graph|model|mcp|openapi|type|memory|import)\b/;

/** Behind a word that declares all words of its line, and those with a colon behind them. */
function declaredIn(text: string): readonly string[] {
  const lines = text.split(/[\r\n]+/);
  const behind = lines.flatMap((line) => {
    const word = declaring.exec(line);
    return word === null ? [] : wordsOf(line.slice(word.index + word[0].length));
  });
  const fields = [...text.matchAll(/\b(\w+)(?:[ \t]*\?)?[ \t]*:/g)].map(([, name = ""]) => name);
  return [...behind, ...fields];
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\w+/g) ?? [];
}

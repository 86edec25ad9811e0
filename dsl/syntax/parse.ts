/** Text to tree. What is wrong in the text is in the list; nothing is thrown. */
import type { IToken } from "chevrotain";
import type { Finding } from "../diagnostics/diagnostic.ts";
import { positionAt, type Source } from "../diagnostics/source.ts";
import { tooDeep, tooDeepAt } from "./depth.ts";
import { FileParser, type ParsedFileCst } from "./grammar/file.ts";
import { type Tokens, tokenize } from "./lexer.ts";
import { possibleRepairs, type Repair } from "./recovery/repairs.ts";
import type { FileAst } from "./tree/ast.ts";

// More than these are not one person's slips; the rest is then reported as it stands.
const repairsMax = 8;
const candidatesMax = 8;
// Every repair that is tried means reading the whole text again: in a long one few are.
const charactersMax = 1_000_000;

/** The tree of a text. All who ask for that of one source share it, so it never changes. */
export interface ParsedText {
  readonly ast: FileAst;
  /** All that is wrong with the syntax. */
  readonly findings: readonly Finding[];
}

// A cell or a file is asked for its tree by a dozen steps, from its types to its labels.
const known = new WeakMap<Source, ParsedText>();

/** Parses a whole text, once a source; faulty items are reported and left out of the tree. */
export function parse(source: Source): ParsedText {
  const before = known.get(source);
  if (before !== undefined) return before;
  const parsed = parseText(source);
  known.set(source, parsed);
  return parsed;
}

function parseText(source: Source): ParsedText {
  let best = attempt(source.text, []);
  const attempts = { left: Math.floor(charactersMax / source.text.length) };
  for (let count = 0; count < repairsMax && wrong(best).length > 0; count++) {
    const better = firstBetter(source.text, best, attempts);
    if (better === undefined) break;
    best = better;
  }
  const span = { start: 0, end: source.text.length };
  const findings = oneALine(source, withoutFollowUps(best.findings));
  return { ast: { kind: "file", items: best.parsed.items, span }, findings };
}

interface ParseAttempt {
  readonly repairs: readonly Repair[];
  readonly lexed: Tokens;
  readonly parsed: ParsedFileCst;
  readonly findings: readonly Finding[];
}

let parser: FileParser | undefined;

function attempt(text: string, repairs: readonly Repair[]): ParseAttempt {
  const lexed = tokenize(
    text,
    repairs.map(({ insertion }) => insertion),
  );
  const parsed = parseTokens(lexed.tokens);
  return {
    repairs,
    lexed,
    parsed,
    findings: [...repairs.map(({ finding }) => finding), ...lexed.findings, ...parsed.findings],
  };
}

function parseTokens(tokens: IToken[]): ParsedFileCst {
  const deep = tooDeepAt(tokens);
  if (deep !== undefined) return { items: [], findings: [tooDeep(deep)], unclosedHoles: [] };
  // Building the parser costs some 20 ms: it is built once, for the first text.
  parser ??= new FileParser({ validate: false });
  try {
    return parser.parseTokens(tokens);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Chains without brackets, `a ? b : c ? …`, end the stack too; the parser is left half way, so it is made anew.
    parser = undefined;
    return { items: [], findings: [tooDeep(tokens[0])], unclosedHoles: [] };
  }
}

// A repair stands if less is wrong with it. What was left open lies before what reads wrong, and mostly near it.
function firstBetter(
  text: string,
  before: ParseAttempt,
  attempts: { left: number },
): ParseAttempt | undefined {
  const made = new Set(before.repairs.map(placeAndText));
  const firstWrong = earliest(wrong(before).filter(isInPlace));
  const candidates = possibleRepairs(text, before.lexed, before.parsed.unclosedHoles, firstWrong)
    .filter((repair) => !made.has(placeAndText(repair)))
    .slice(-candidatesMax)
    .reverse();
  for (const repair of candidates) {
    if (attempts.left-- <= 0) return undefined;
    const after = attempt(text, [...before.repairs, repair]);
    if (wrong(after).length < wrong(before).length) return after;
  }
  return undefined;
}

function placeAndText({ insertion: { at, text } }: Repair): string {
  return `${at} ${text}`;
}

// An unclosed `{` is shown where it stands, which is far before the place where it was noticed.
function isInPlace({ code }: Finding): boolean {
  return code !== "M1104";
}

function wrong({ findings, repairs }: ParseAttempt): readonly Finding[] {
  return findings.slice(repairs.length);
}

// Skipped text may have held a brace, so its other half is not reported.
function withoutFollowUps(findings: readonly Finding[]): readonly Finding[] {
  const others = findings.filter(({ code }) => code !== "M1104" && code !== "M1105");
  const first = earliest(others);
  const last = others.reduce((latest, { span }) => Math.max(latest, span.start), -1);
  return findings.filter(({ code, span }) => {
    if (code === "M1104") return last < span.start;
    return code !== "M1105" || first > span.start;
  });
}

function earliest(findings: readonly Finding[]): number {
  return findings.reduce(
    (first, { span }) => Math.min(first, span.start),
    Number.POSITIVE_INFINITY,
  );
}

// One report a line: what was left open is said first, then what the lexer found, then the parser.
function oneALine(source: Source, findings: readonly Finding[]): Finding[] {
  const byLine = new Map<number, Finding>();
  for (const finding of findings) {
    const { line } = positionAt(source, finding.span.start);
    if (!byLine.has(line)) byLine.set(line, finding);
  }
  return [...byLine.values()].sort((a, b) => a.span.start - b.span.start);
}

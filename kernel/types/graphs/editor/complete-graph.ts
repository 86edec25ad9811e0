/** Completes at a place of a graph cell: names and words of the language that may follow. */
import {
  BUILT_IN_REDUCERS,
  BUILT_IN_TOOLS,
  CONTEXT_MEMBERS,
  KNOWN_TYPES,
  languageWords,
  MEMORY_TOOLS,
  NODE_KINDS,
  wordPage,
} from "../../../../dsl/index.ts";
import type { AskedText } from "../../cells/cell-program.ts";
import type { CellCursor, CompletionItem, Completions } from "../../service.ts";
import { apiBefore, type DeclaredApis, operationItems } from "./declared-apis.ts";
import { expressionSnippet, type Snippet } from "./expression-snippet.ts";
import { libraryGraphs } from "./library-names.ts";
import { namesInText, type TextName } from "./names-in-text.ts";
import { wordAt } from "./word-at.ts";

/** The TypeScript names that the cell can request. */
export interface TypeScriptNames {
  /** Returns the compiler's completions at the end of a text. */
  complete(snippet: AskedText): Completions;
  /** The names that cells have declared, and what is built in. */
  readonly names: ReadonlySet<string>;
  /** Graphs of other cells. */
  readonly graphs: ReadonlySet<string>;
}

export function completeGraph(
  { code, offset }: CellCursor,
  typescript: TypeScriptNames,
  apis: DeclaredApis,
): Completions {
  const path = importPath(code, offset);
  if (path !== undefined) return shifted(typescript.complete(path), offset - path.offset);
  const { start, end } = wordAt(code, offset);
  const written = code.slice(start, offset);
  const before = code.slice(0, start);
  // The word that is being typed does not count as a name of the text.
  const text = `${before}${code.slice(end)}`;
  const names = namesInText(text);
  const api = apiBefore(before, apis);
  if (api !== undefined) {
    const items = operationItems(apis.get(api)).filter((one) => one.text.startsWith(written));
    return { items, start, end };
  }
  if (/[\p{L}\p{N}_$\])]\s*\??\.$/u.test(before) && !/(?:^|[^.])\.\.$/.test(before)) {
    const snippet = expressionSnippet(code, offset, names);
    return shifted(typescript.complete(snippet), offset - snippet.offset);
  }
  const offered = itemsAt(lineBefore(before), { names, text, typescript });
  const known = new Set<string>();
  const items = offered.filter(
    ({ text: name }) =>
      name.startsWith(written) && !known.has(name) && known.add(name) !== undefined,
  );
  return { items, start, end };
}

function shifted({ items, start, end }: Completions, by: number): Completions {
  return { items, start: start + by, end: end + by };
}

/** `import { a } from "./▮`. */
function importPath(code: string, offset: number): Snippet | undefined {
  const line = lineBefore(code.slice(0, offset));
  const path = /^\s*import\b[^"']*\bfrom\s*(["'][^"']*)$/.exec(line)?.[1];
  if (path === undefined) return undefined;
  const text = `import x from ${path}`;
  return { text: `${text}${path.charAt(0)}`, offset: text.length };
}

function lineBefore(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

interface CompletionPlace {
  readonly names: readonly TextName[];
  readonly text: string;
  readonly typescript: TypeScriptNames;
}

/** Returns the completions at the end of a line, those that fit the place first. */
function itemsAt(line: string, at: CompletionPlace): readonly CompletionItem[] {
  const own = at.names.map(toItem);
  const words = languageWords.map((word): CompletionItem => {
    const usage = wordPage(word)?.usage;
    return { text: word, type: "keyword", ...(usage === undefined ? {} : { signature: usage }) };
  });
  const rule = RULES.find(({ after }) => after.test(line));
  const fitting = rule === undefined ? [] : rule.offers(at, own);
  return [...fitting, ...own, ...typescriptItems(at, EXPRESSION.test(line)), ...words];
}

interface Rule {
  readonly after: RegExp;
  readonly offers: (
    at: CompletionPlace,
    own: readonly CompletionItem[],
  ) => readonly CompletionItem[];
}

const ofKind =
  (...kinds: readonly string[]) =>
  (_at: CompletionPlace, own: readonly CompletionItem[]) =>
    own.filter(({ type }) => kinds.includes(type));

/** Matches a line whose end takes an expression: fields and functions. */
const EXPRESSION =
  /\$\{[^}]*$|\b(?:ensure|when|until|match|from|store|given|expect|within\s+\d\w*\s+else)\s+[^"`]*$|[(=,]\s*$/;

/** Matches an object that is open, up to where a key may stand. */
const KEY = String.raw`\s*\{(?:\s*|(?:[^{}]|\{[^{}]*\})*,\s*)$`;

/** The first that fits says what a place is for. */
const RULES: readonly Rule[] = [
  { after: /(?:->|\|)\s*[[({]?\s*$|\b(?:before|after|tell)\s+$/, offers: nodesAndEnd },
  { after: /\b(?:visits|round)\(\s*$/, offers: nodesOf },
  { after: /\bwithin\s+$/, offers: () => DURATIONS },
  { after: /^\s*import\s*\{\s*(?:\w[\w\s]*,\s*)*$/, offers: libraryGraphs },
  ...contextRules(),
  { after: /\bmodel\s+$/, offers: ofKind("model") },
  {
    after: /\b(?:writes|reads|earlier|edits|returns)\s+(?:[\w?]+\s*,\s*)*$/,
    offers: ofKind("field"),
  },
  { after: /\bvia\s+$/, offers: () => REDUCERS },
  {
    after: /\btool\s+\w+\s*=\s*$/,
    offers: (at, own) => [...declaredTools(own), ...typescriptItems(at, true)],
  },
  { after: /\b(?:run|reduce)\s+\w+\s*=\s*$/, offers: (at) => typescriptItems(at, true) },
  { after: /\bgraph\s+\w+\s*=\s*$/, offers: calledGraphs },
  {
    after: /\btools\s+(?:[\w.*]+\s*,\s*)*$/,
    offers: (at, own) => [...declaredTools(own), ...typescriptItems(at, true), ...TOOLS],
  },
  {
    after: /[\w?]\s*:\s*(?:[^,)]*\|\s*)?$/,
    offers: (at, own) => [...TYPES, ...ofKind("type")(at, own)],
  },
  { after: /\b(?:recall|into)\s+$/, offers: ofKind("memory") },
  { after: EXPRESSION, offers: ofKind("field", "parameter") },
];

/** Makes the rules for the keys of `context { … }` and of the objects in it. */
function contextRules(): readonly Rule[] {
  const inner = Object.entries(CONTEXT_MEMBERS).flatMap(([name, { rule }]) =>
    rule.kind === "object"
      ? [{ after: new RegExp(`\\bcontext\\s*\\{.*\\b${name}\\s*:${KEY}`), of: rule.members }]
      : [],
  );
  return [...inner, { after: new RegExp(`\\bcontext${KEY}`), of: CONTEXT_MEMBERS }].map(
    ({ after, of }) => ({ after, offers: () => memberItems(of) }),
  );
}

function memberItems(members: typeof CONTEXT_MEMBERS): readonly CompletionItem[] {
  return Object.entries(members).map(([text, { example, about }]) => ({
    text,
    type: "member",
    signature: `${example} (${about})`,
  }));
}

function nodesAndEnd(
  at: CompletionPlace,
  own: readonly CompletionItem[],
): readonly CompletionItem[] {
  const others = ["end", "return", "each"].map((text) => ({ text, type: "keyword" as const }));
  return [...nodesOf(at, own), ...others];
}

function nodesOf({ names }: CompletionPlace, own: readonly CompletionItem[]) {
  const inGraphs = new Set(
    names.filter(({ graph }) => graph !== undefined).map(({ name }) => name),
  );
  return own.filter(({ text, type }) => type in NODE_KINDS && inGraphs.has(text));
}

/** The servers, and the tools of memories. */
function declaredTools(own: readonly CompletionItem[]): readonly CompletionItem[] {
  return own.flatMap((one) => {
    if (one.type === "mcp" || one.type === "openapi") return [one];
    if (one.type !== "memory") return [];
    return Object.keys(MEMORY_TOOLS).map((name) => ({ text: `${one.text}.${name}`, type: "tool" }));
  });
}

function calledGraphs({ typescript }: CompletionPlace, own: readonly CompletionItem[]) {
  const others = [...typescript.graphs].map((text): CompletionItem => ({ text, type: "graph" }));
  return [...own.filter(({ type }) => type === "graph"), ...others];
}

const REDUCERS: readonly CompletionItem[] = BUILT_IN_REDUCERS.map((text) => ({
  text,
  type: "reducer",
}));

/** Examples of time limits for an answer of a person; any other may be written. */
const DURATIONS: readonly CompletionItem[] = ["10m", "1h", "2h", "1d"].map((text) => ({
  text,
  type: "duration",
}));

const TOOLS: readonly CompletionItem[] = BUILT_IN_TOOLS.map((text) => ({ text, type: "tool" }));

const TYPES: readonly CompletionItem[] = KNOWN_TYPES.map((text) => ({ text, type: "type" }));

/**
 * Returns the completions of names that cells have declared; none where no function or value may
 * stand.
 */
function typescriptItems(
  { typescript }: CompletionPlace,
  isWanted: boolean,
): readonly CompletionItem[] {
  if (!isWanted) return [];
  return typescript.complete({ text: "", offset: 0, only: typescript.names }).items;
}

function toItem({ name, kind, type }: TextName): CompletionItem {
  return { text: name, type: kind, ...(type === undefined ? {} : { signature: `: ${type}` }) };
}

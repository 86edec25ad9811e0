/**
 * Finds the declarations in a function's own file that the function names, in the texts of modules as they were
 * loaded. It may find too much, never too little: a name counts wherever it stands.
 */
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { functionOf } from "../agents/scope/tools.ts";

/** A module of the user's with the local ones that it imports, each as it was. */
interface ModuleTexts {
  readonly url: string;
  readonly texts: ReadonlyMap<string, string>;
}

const moduleOf = new WeakMap<object, ModuleTexts>();
const besideKnown = new WeakMap<object, readonly string[]>();

/** Remembers which module these exports are of; to be called when it has been loaded. */
export function noteModule(exports: Readonly<Record<string, unknown>>, url: string): void {
  const found = new Set(Object.values(exports).flatMap((value) => functionsOf(value, DEPTH)));
  const unknown = [...found].filter((one) => !moduleOf.has(one));
  if (unknown.length === 0) return;
  const module = { url, texts: closureOf(url) };
  for (const one of unknown) moduleOf.set(one, module);
}

/** As deep as dotted names are written, and the exports themselves. */
const DEPTH = 2;

function functionsOf(value: unknown, depth: number): readonly object[] {
  if (typeof value === "function") {
    const made = functionOf(value);
    return typeof made === "function" ? [value, made] : [value];
  }
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  const made = functionOf(value);
  const own = typeof made === "function" ? [value, made] : [];
  return [...own, ...Object.values(value).flatMap((member) => functionsOf(member, depth - 1))];
}

/** The texts of what a function with this text names in its own file, however far that leads; none of one from elsewhere. */
export function besideOf(value: object, text: string): readonly string[] {
  const known = besideKnown.get(value);
  if (known !== undefined) return known;
  const module = moduleOf.get(value);
  const found = module === undefined ? [] : textsBeside(text, module);
  besideKnown.set(value, found);
  return found;
}

function textsBeside(text: string, { url, texts }: ModuleTexts): readonly string[] {
  const statements = statementsIn(texts.get(url) ?? "");
  const declared = new Set(statements.flatMap(({ names }) => names));
  const reached = wordsIn(text);
  // Its own declaration is its text.
  const [, self = ""] =
    /^(?:async\s+)?(?:function\b\s*\*?|class\b)\s*([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(text) ?? [];
  reached.delete(self);
  const found = new Set<Statement>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const statement of statements) {
      if (found.has(statement) || !isReached(statement, { reached, declared, self })) continue;
      found.add(statement);
      for (const word of wordsIn(statement.text)) if (word !== self) reached.add(word);
    }
  }
  const whole = [text, ...[...found].map((one) => one.text)].flatMap((one) => importedBy(one, url));
  return [
    ...[...found].map((one) => one.text),
    ...[...closure(whole, texts)].map((one) => texts.get(one) ?? ""),
  ];
}

interface Reach {
  readonly reached: ReadonlySet<string>;
  readonly declared: ReadonlySet<string>;
  readonly self: string;
}

/**
 * Returns whether a statement belongs to reached names. One without declarations, as `table.set("a", 1)`, belongs to
 * the names in it; an import for its effects belongs to all.
 */
function isReached({ names, text }: Statement, { reached, declared, self }: Reach): boolean {
  if (names.length > 0) return names.some((name) => reached.has(name));
  if (/^(?:import\s*["']|export\b[^"'`]*\bfrom\b)/.test(text)) return true;
  return [...wordsIn(text)].some(
    (word) => word !== self && declared.has(word) && reached.has(word),
  );
}

// ── a module's text ─────────────────────────────────────────────────────────────────────────────

interface Statement {
  readonly text: string;
  /** The names that it declares or imports. */
  readonly names: readonly string[];
}

/** A statement begins where a line is not indented. */
function statementsIn(text: string): readonly Statement[] {
  const lines = text.split(/\r?\n/);
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const indent = Math.min(...indents, Number.POSITIVE_INFINITY);
  const statements: string[][] = [];
  for (const line of lines.map((one) => one.slice(indent))) {
    const last = statements.at(-1);
    if (last === undefined || /^[^\s})\]/*.?:|&`>]/.test(line)) statements.push([line]);
    else last.push(line);
  }
  return statements.map((own) => {
    // The comment above the next one is no part of it.
    const statement = own
      .join("\n")
      .replace(/(?:\s*(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/))*\s*$/, "");
    return { text: statement, names: namesOf(statement) };
  });
}

function namesOf(statement: string): readonly string[] {
  if (/^import\b/.test(statement)) {
    return [...wordsIn(statement.replace(/\bfrom\s*["'][\s\S]*$/, ""))].filter(
      (word) => !["import", "type", "as"].includes(word),
    );
  }
  if (/^(?:export\s+)?(?:type|interface|declare)\b/.test(statement)) return [];
  const [line = ""] = statement.split("\n", 1);
  const declared = [
    ...line.matchAll(
      /\b(?:function\b\s*\*?|class|enum|const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu,
    ),
  ].flatMap(([, name]) => name ?? []);
  // `const a = 1, b = 2` and `const { a, b } = c`: each word of theirs may be a name.
  const isList = /^(?:export\s+)?(?:const|let|var)\b/.test(line) && !/=>|\bfunction\b/.test(line);
  if (!isList) return declared;
  const [head = ""] = /^[^{]*\{[^}]*\}/.exec(statement) ?? [];
  return [...new Set([...declared, ...wordsIn(line), ...wordsIn(head)])].filter(
    (word) => !["export", "const", "let", "var"].includes(word),
  );
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}

// ── what it imports ─────────────────────────────────────────────────────────────────────────────

function closureOf(url: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  closure([url], { get: (one) => moduleText(one) }, texts);
  return texts;
}

/** These modules and all local ones that they import. */
function closure(
  urls: readonly string[],
  from: { get(url: string): string | undefined },
  texts = new Map<string, string>(),
): ReadonlySet<string> {
  const open = [...urls];
  for (const url of open) {
    if (texts.has(url)) continue;
    const text = from.get(url) ?? "";
    texts.set(url, text);
    open.push(...importedBy(text, url));
  }
  return new Set(texts.keys());
}

const IMPORT = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*["'](\.{1,2}\/[^"'\n]*)["']/g;

function importedBy(text: string, url: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, specifier = ""]) => new URL(specifier, url).href);
}

const read = new Map<string, { readonly mark: string; readonly text: string }>();

function moduleText(url: string): string {
  try {
    const file = fileURLToPath(url);
    const { mtimeMs, size } = statSync(file);
    const mark = `${mtimeMs} ${size}`;
    const known = read.get(url);
    if (known?.mark === mark) return known.text;
    const text = readFileSync(file, "utf8");
    read.set(url, { mark, text });
    return text;
  } catch {
    // Whoever imports it is told so; here it counts for nothing.
    return "";
  }
}

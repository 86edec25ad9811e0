/** Takes imported declarations, with all that they need, into the importing file. */

import type { NameMeaning, SpanIr } from "../ir/ir.ts";
import { referencesOf } from "../lower/references.ts";
import type { LinkedImport, LinkedProgram } from "../names/symbol-tables.ts";
import type { FileAst, Name } from "../syntax/tree/ast.ts";
import { called, type Declaration } from "./declaration.ts";
import { namesIn } from "./names-in.ts";
import { ownDeclarations } from "./own-declarations.ts";
import { besideOuter } from "./specifier.ts";

/** A name that is imported, and what it means in the other program. */
export interface ImportRequest {
  readonly as: Name;
  readonly declarations: readonly Declaration[];
  readonly program: LinkedProgram;
  /** The path of the import. */
  readonly from: string;
}

/**
 * Returns the requested declarations and all that they refer to, in the names of the importing
 * file.
 */
export function takeDeclarations(
  requests: readonly ImportRequest[],
  ast: FileAst,
): Pick<LinkedImport, "declarations" | "visible"> {
  if (requests.length === 0) return { declarations: [], visible: [] };
  const naming = createNaming(requests, ast);
  const declarations = new Map<string, Declaration>();
  const visible = requests.map((request) => {
    const names = new Map<string, string>();
    const needed = neededBy(request);
    for (const one of needed) names.set(one.name, naming.nameOf(one));
    const brought = needed.map((one) => broughtIn(one, names, request));
    for (const one of brought) declarations.set(keyOf(one), one);
    const asked = request.declarations.map((one) =>
      called(broughtIn(one, names, request), request.as.text),
    );
    for (const one of asked) declarations.set(keyOf(one), one);
    return { as: request.as, declarations: asked };
  });
  return { declarations: [...declarations.values()], visible };
}

function keyOf({ kind, name }: Declaration): string {
  return `${kind} ${name}`;
}

function broughtIn(
  declaration: Declaration,
  names: ReadonlyMap<string, string>,
  { as: { span }, from }: ImportRequest,
): Declaration {
  const name = names.get(declaration.name) ?? declaration.name;
  const item = renamed(declaration.item, names, [span.start, span.end]);
  const moved = { ...declaration, item } as Declaration;
  const here = called(moved, name);
  if (here.kind !== "import") return here;
  return { ...here, item: { ...here.item, from: besideOuter(from, here.item.from) } };
}

/**
 * Returns the requested declarations and all that they refer to, directly or not, in the order of
 * their program.
 */
function neededBy({ declarations, program }: ImportRequest): readonly Declaration[] {
  const { symbols, source } = program;
  const all = [...symbols.linked.declarations, ...ownDeclarations(symbols, source.file)];
  const kept = new Set<Declaration>(declarations);
  let frontier: readonly Declaration[] = declarations;
  while (frontier.length > 0) {
    const { names, types } = referencesOf(frontier.map(({ item }) => item));
    frontier = all.filter((one) => {
      const isReferred =
        one.kind === "type" ? types.has(one.name) : names.has(one.name) || isTypeImport(one, types);
      return isReferred && !kept.has(one);
    });
    for (const one of frontier) kept.add(one);
  }
  return all.filter((one) => kept.has(one));
}

/** `lib.Thing` needs the import `lib`. */
function isTypeImport({ kind, name }: Declaration, types: ReadonlySet<string>): boolean {
  return kind === "import" && [...types].some((type) => type.split(".")[0] === name);
}

interface NamesTaken {
  nameOf(declaration: Declaration): string;
}

/** Requested things are called as the import says; others keep their name unless the text uses it for anything. */
function createNaming(requests: readonly ImportRequest[], ast: FileAst): NamesTaken {
  const byOrigin = new Map<string, string>();
  const used = namesIn(ast);
  for (const { as, declarations } of requests)
    for (const { origin } of declarations) if (!byOrigin.has(origin)) byOrigin.set(origin, as.text);
  return {
    nameOf({ origin, name }) {
      const known = byOrigin.get(origin);
      if (known !== undefined) return known;
      const fresh = freshName(name, used);
      used.add(fresh);
      byOrigin.set(origin, fresh);
      return fresh;
    },
  };
}

function freshName(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name)) return name;
  let count = 2;
  while (used.has(`${name}_${count}`)) count += 1;
  return `${name}_${count}`;
}

/** The meanings of names that belong to the file, and not to one expression or graph. */
const OF_FILE: readonly NameMeaning[] = ["config", "model", "memory", "scope"];

/** A part of a declaration in the names of another file, as if all of it stood where it is imported. */
function renamed<T>(part: T, names: ReadonlyMap<string, string>, span: SpanIr): T {
  if (Array.isArray(part)) return part.map((item) => renamed(item, names, span)) as T;
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(
    Object.entries(part).map(([key, member]) => [
      key,
      key === "span" ? span : renamed(member, names, span),
    ]),
  );
  const name = nameOfFile(part);
  return (name === undefined ? copy : { ...copy, name: renamedPath(name, names) }) as T;
}

/** The name of a type or of something of the file, where an expression or a type is one. */
function nameOfFile(part: object): string | undefined {
  if (!("kind" in part && "name" in part) || typeof part.name !== "string") return undefined;
  if (part.kind === "named") return part.name;
  const isOfFile = "of" in part && OF_FILE.some((meaning) => meaning === part.of);
  return part.kind === "name" && isOfFile ? part.name : undefined;
}

/**
 * Returns a dotted path with its first name changed to the file's name for it: of `lib.Thing` the
 * file knows `lib`.
 */
function renamedPath(path: string, names: ReadonlyMap<string, string>): string {
  const [first = "", ...rest] = path.split(".");
  return [names.get(path) ?? names.get(first) ?? first, ...(names.has(path) ? [] : rest)].join(".");
}

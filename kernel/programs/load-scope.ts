/** Loads the TypeScript of a program: Madrigal's own tools, the scope file's exports, the program's imports. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  check,
  nearest,
  parse,
  positionAt,
  type ScriptImport,
  type Source,
  type Span,
} from "../../dsl/index.ts";
import {
  createBrowserTools,
  createCodeTools,
  createDocsTools,
  createFolderTools,
  createWebTools,
  planning,
  type Scope,
  scopes,
  type Workspace,
  workspaceAt,
} from "../../runtime/index.ts";
import { CommandError, type TextPosition } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { askedByImport, toolsInText } from "../types/named/asked-tools.ts";
import type { BuiltInGroup } from "../types/named/built-in-types.ts";
import { namesType } from "../types/named/program-names.ts";
import { rememberFolder } from "./documents.ts";
import { importFrom, importMessage } from "./import-module.ts";
import { type FindSignatures, findSignatures } from "./program-tools.ts";
import { type PlacedSource, type Programs, programsBeside } from "./programs-beside.ts";
import { readSource } from "./read-source.ts";

export interface ScopeRequest extends PlacedSource {
  readonly scopeFile?: string | undefined;
  readonly workspace: Workspace;
  /** Finds the signatures of tools; by default the compiler of this process does. */
  readonly signatures?: FindSignatures;
}

/** Later ones win: a program's imports over the scope file, both over what is built in. */
export async function loadScope(request: ScopeRequest): Promise<Scope> {
  const imported = await loadImports(request);
  const exported = await scopeFileExports(request.scopeFile);
  const { scopeFile } = request;
  const places = new Map(
    Object.keys(exported).map((name) => [name, { name, from: resolve(scopeFile ?? "") }]),
  );
  const offered = { ...builtInScope(request), ...exported };
  await learnSignatures(offered, { ...request, places }, request);
  return scopes.scopeOverBuiltIn(offered, imported);
}

/** Loads what a program imports, alone, and what those that it calls import. */
export async function loadImports(request: ScopeRequest): Promise<Scope> {
  const { own, files } = await importedNames(request);
  await learnSignatures(own.names, { ...request, places: own.places }, request);
  return scopes.withFileScopes(own.names, files);
}

/** The tools that each program has without importing them, with the documents around it. */
export function builtInScope(
  around: Pick<ScopeRequest, "path" | "workspace">,
): ReturnType<typeof builtInTools> {
  const root = docsRoot(around);
  const builtIn = builtInTools(root, dirname(around.path));
  rememberFolder(builtIn.docs, root);
  return builtIn;
}

/** The groups of tools that each program has without importing them; it reads the documents below `root`, and the files of `folder`. */
export function builtInTools(root: string, folder: string): Record<BuiltInGroup, object> {
  return {
    browser: createBrowserTools(),
    docs: createDocsTools({ root }),
    web: createWebTools(),
    code: createCodeTools(),
    folder: createFolderTools(folder),
    planning,
  };
}

/** Returns the names that each program is offered, whatever it imports. */
export function builtInNames(): readonly string[] {
  return scopes.offeredBy(builtInTools("", "")).scope ?? [];
}

/** The origin of a program's names: the TypeScript file, and the name that it exports. */
type NamePlaces = ReadonlyMap<string, Pick<ScriptImport, "name" | "from">>;

/** Reads from TypeScript the signatures of those of a program's tools that declare no input. */
async function learnSignatures(
  scope: Scope,
  { source, places }: { readonly source: Source; readonly places: NamePlaces },
  { path, signatures = findSignatures }: ScopeRequest,
): Promise<void> {
  const asked = toolsInText(source).flatMap((name) => {
    const place = places.get(name[0] ?? "");
    return place !== undefined && scopes.lacksSignature(name, scope)
      ? [askedByImport(name, place)]
      : [];
  });
  const found = await signatures(path, asked);
  const known = new Map(found.map(({ name, signature }) => [name, signature]));
  scopes.attachSignatures(scope, (name) => known.get(name.join(".")));
}

/** MADRIGAL_DOCS, else the packages of the workspace, of the program's project or of the working folder. */
function docsRoot({ path, workspace }: Pick<ScopeRequest, "path" | "workspace">): string {
  const named = process.env.MADRIGAL_DOCS;
  if (named) return resolve(named);
  const projects = [dirname(path), process.cwd()].map((folder) => workspaceAt(folder, {}));
  const roots = [workspace, ...projects].map(({ root }) => join(root, "node_modules"));
  return roots.find((root) => existsSync(root)) ?? join(workspace.root, "node_modules");
}

async function scopeFileExports(file: string | undefined): Promise<Scope> {
  if (file === undefined) return {};
  const path = resolve(file);
  try {
    return { ...(await importFrom(path, path)) };
  } catch (cause) {
    throw notLoaded(file, { cause, exitCode: existsSync(path) ? EXIT.wrong : EXIT.call });
  }
}

/** Loads the imports of the program, and those of the other programs whose graphs it calls. */
async function importedNames(of: ScopeRequest): Promise<{
  readonly own: NamesOfProgram;
  readonly files: ReadonlyMap<string, Scope>;
}> {
  const { source } = of;
  const beside = programsBeside(of);
  const { imports, programs } = check(source, { programs: beside.open });
  const own = await namesOf(imports, { source, programs: beside });
  const files = new Map<string, Scope>();
  for (const program of programs) {
    const { names, places } = await namesOf(program.imports, { source, programs: beside });
    if (Object.keys(names).length === 0) continue;
    const its = readSource(beside.pathOf(program.file));
    await learnSignatures(names, { source: its, places }, of);
    files.set(program.file, names);
  }
  return { own, files };
}

interface NamesOfProgram {
  readonly names: Scope;
  readonly places: NamePlaces;
}

async function namesOf(
  imports: readonly ScriptImport[],
  { source, programs }: { readonly source: Source; readonly programs: Programs },
): Promise<NamesOfProgram> {
  const scope: Record<string, unknown> = {};
  const origins = new Map<string, Pick<ScriptImport, "name" | "from">>();
  const places = placesOfImports(source);
  for (const { name, as, from, file } of imports) {
    // Another program may have TypeScript imports of its own, relative to its file.
    const { whole, one } = (file === source.file ? places.get(as) : undefined) ?? atFile(file);
    const exports = await importAt(from, { path: programs.pathOf(file), place: whole });
    const written = file === source.file ? source : readSource(programs.pathOf(file));
    // A type is in no module that runs.
    if (!Object.hasOwn(exports, name) && namesType(written, as)) continue;
    scope[as] = exportOf(exports, { name, from, place: one });
    origins.set(as, { name, from: absolute(from, programs.pathOf(file)) });
  }
  return { names: scope, places: origins };
}

/** A path beside a file, wherever it is asked for; a package as it is. */
function absolute(from: string, importer: string): string {
  return from.startsWith(".") ? resolve(dirname(importer), from) : from;
}

/** The places of an import's path and of its name. */
interface ImportPlaces {
  readonly whole: TextPosition;
  readonly one: TextPosition;
}

function placesOfImports(source: Source): ReadonlyMap<string, ImportPlaces> {
  const decls = parse(source).ast.items.filter((item) => item.kind === "import");
  return new Map(
    decls.flatMap(({ names, from }) =>
      names.map(({ name, as = name }): [string, ImportPlaces] => [
        as.text,
        { whole: spanPosition(source, from.span), one: spanPosition(source, name.span) },
      ]),
    ),
  );
}

function atFile(file: string): ImportPlaces {
  return { whole: { file }, one: { file } };
}

async function importAt(
  from: string,
  { path, place }: { readonly path: string; readonly place: TextPosition },
): Promise<Scope> {
  try {
    return await importFrom(from, path);
  } catch (cause) {
    throw notLoaded(from, { cause, place, exitCode: EXIT.wrong });
  }
}

function exportOf(
  exports: Scope,
  {
    name,
    from,
    place,
  }: { readonly name: string; readonly from: string; readonly place: TextPosition },
): unknown {
  if (Object.hasOwn(exports, name)) return exports[name];
  const meant = nearest(name, Object.keys(exports));
  throw new CommandError("M7205", `\`${from}\` does not export \`${name}\``, {
    hint:
      meant === undefined
        ? `it exports ${Object.keys(exports).join(", ") || "nothing"}`
        : `did you mean \`${meant}\`?`,
    place,
    exitCode: EXIT.wrong,
  });
}

/** The error for a file of TypeScript that Node can't load. */
export function notLoaded(
  from: string,
  details: { readonly cause: unknown; readonly place?: TextPosition; readonly exitCode: number },
): CommandError {
  return new CommandError("M7204", `\`${from}\` can't be loaded: ${importMessage(details.cause)}`, {
    hint: "check the path, and that the file runs by itself",
    ...details,
  });
}

function spanPosition(source: Source, span: Span): TextPosition {
  return { file: source.file, ...positionAt(source, span.start) };
}

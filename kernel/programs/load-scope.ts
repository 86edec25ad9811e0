/** The TypeScript that a program runs with: Madrigal's own `docs`, the scope file's exports, the program's imports. */
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
  createDocsTools,
  type Scope,
  type Workspace,
  withFileScopes,
  workspaceAt,
} from "../../runtime/index.ts";
import { CommandError, type Place } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { namesType } from "../types/named/asked-types.ts";
import { rememberFolder } from "./documents.ts";
import { importFrom, importMessage } from "./import-module.ts";
import { type Programs, programsBeside } from "./programs-beside.ts";
import { readSource } from "./read-source.ts";

export interface ScopeRequest {
  readonly source: Source;
  /** The program's absolute path: imports are looked for from there. */
  readonly path: string;
  readonly scopeFile?: string | undefined;
  readonly workspace: Workspace;
}

/** Later ones win: a program's imports over the scope file, both over what is built in. */
export async function loadScope(request: ScopeRequest): Promise<Scope> {
  const root = docsRoot(request);
  const docs = createDocsTools({ root });
  rememberFolder(docs, root);
  const { own, files } = await importedNames(request);
  const scope = { docs, ...(await scopeFileExports(request.scopeFile)), ...own };
  return files.size === 0 ? scope : withFileScopes(scope, files);
}

/** MADRIGAL_DOCS, else the packages of the workspace, of the program's project or of the working folder. */
function docsRoot({ path, workspace }: ScopeRequest): string {
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

/** What the program imports, and what the other programs do whose graphs it calls. */
async function importedNames(of: ScopeRequest): Promise<{
  readonly own: Scope;
  readonly files: ReadonlyMap<string, Scope>;
}> {
  const { source, path } = of;
  const beside = programsBeside({ source, path });
  const { imports, programs } = check(source, { programs: beside.open, allowNotYet: true });
  const own = await namesOf(imports, { source, programs: beside });
  const files = new Map<string, Scope>();
  for (const program of programs) {
    const names = await namesOf(program.imports, { source, programs: beside });
    if (Object.keys(names).length > 0) files.set(program.file, names);
  }
  return { own, files };
}

async function namesOf(
  imports: readonly ScriptImport[],
  { source, programs }: { readonly source: Source; readonly programs: Programs },
): Promise<Scope> {
  const scope: Record<string, unknown> = {};
  const places = placesOfImports(source);
  for (const { name, as, from, file } of imports) {
    // What is used of another program may bring TypeScript of that one, meant from there.
    const { whole, one } = (file === source.file ? places.get(as) : undefined) ?? atFile(file);
    const exports = await importAt(from, { path: programs.pathOf(file), place: whole });
    const written = file === source.file ? source : readSource(programs.pathOf(file));
    // A type is in no module that runs.
    if (!Object.hasOwn(exports, name) && namesType(written, { name, from })) continue;
    scope[as] = exportOf(exports, { name, from, place: one });
  }
  return scope;
}

/** Where an import's path stands, and where its name. */
interface ImportPlaces {
  readonly whole: Place;
  readonly one: Place;
}

function placesOfImports(source: Source): ReadonlyMap<string, ImportPlaces> {
  const decls = parse(source).ast.items.filter((item) => item.kind === "import");
  return new Map(
    decls.flatMap(({ names, from }) =>
      names.map(({ name, as = name }): [string, ImportPlaces] => [
        as.text,
        { whole: placeOf(source, from.span), one: placeOf(source, name.span) },
      ]),
    ),
  );
}

function atFile(file: string): ImportPlaces {
  return { whole: { file }, one: { file } };
}

async function importAt(
  from: string,
  { path, place }: { readonly path: string; readonly place: Place },
): Promise<Scope> {
  try {
    return await importFrom(from, path);
  } catch (cause) {
    throw notLoaded(from, { cause, place, exitCode: EXIT.wrong });
  }
}

function exportOf(
  exports: Scope,
  { name, from, place }: { readonly name: string; readonly from: string; readonly place: Place },
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

function notLoaded(
  from: string,
  details: { readonly cause: unknown; readonly place?: Place; readonly exitCode: number },
): CommandError {
  return new CommandError("M7204", `\`${from}\` can't be loaded: ${importMessage(details.cause)}`, {
    hint: "is the path right, and does the file run by itself?",
    ...details,
  });
}

function placeOf(source: Source, span: Span): Place {
  return { file: source.file, ...positionAt(source, span.start) };
}

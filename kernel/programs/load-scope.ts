/** The TypeScript that a program runs with: Madrigal's own `docs`, the scope file's exports, the program's imports. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { nearest, parse, positionAt, type Source, type Span } from "../../dsl/index.ts";
import { createDocsTools, type Scope, type Workspace, workspaceAt } from "../../runtime/index.ts";
import { CommandError, type Place } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { rememberFolder } from "./documents.ts";
import { importFrom, importMessage } from "./import-module.ts";

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
  return {
    docs,
    ...(await scopeFileExports(request.scopeFile)),
    ...(await importedNames(request)),
  };
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

async function importedNames({ source, path }: ScopeRequest): Promise<Scope> {
  const scope: Record<string, unknown> = {};
  for (const item of parse(source).ast.items) {
    if (item.kind !== "import") continue;
    const from = item.from.value;
    // The check has refused programs; they are no TypeScript.
    if (from.endsWith(".madrigal")) continue;
    const exports = await importAt(from, { path, place: placeOf(source, item.from.span) });
    for (const { name, as } of item.names) {
      const place = placeOf(source, name.span);
      scope[(as ?? name).text] = exportOf(exports, { name: name.text, from, place });
    }
  }
  return scope;
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

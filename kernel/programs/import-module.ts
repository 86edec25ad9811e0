/** Loads modules of TypeScript as if a given file imported them: its folder, its node_modules. */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";
import { noteModule } from "../../runtime/index.ts";
import { serveOwnInstance } from "../library/own-instance.ts";
import { messageOf } from "../message-of.ts";

const SCHEME = "madrigal-import:";
// An `import()` that stands in a module is rewritten by bundlers and test runners, and the hook below is never asked.
const load: (url: string) => Promise<Readonly<Record<string, unknown>>> = new Script(
  "(url) => import(url)",
  { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
).runInThisContext();
let isRegistered = false;
/** The URLs of what was asked for. */
const resolved = new Map<string, string>();

/** The exports of `specifier`, resolved from the file `from`; rejects with Node's own error. */
export async function importFrom(
  specifier: string,
  from: string,
): Promise<Readonly<Record<string, unknown>>> {
  register();
  const wanted = `${SCHEME}${JSON.stringify([specifier, pathToFileURL(from).href])}`;
  const exports = await load(wanted);
  const url = localModule(resolved.get(wanted) ?? "");
  if (url !== undefined) noteModule(exports, url);
  return exports;
}

/** Without a version; undefined for what is no module of the user's. */
function localModule(url: string): string | undefined {
  const [plain = ""] = url.split("?", 1);
  const isCode = /^file:.*\.[mc]?[jt]s$/.test(plain);
  return isCode && !plain.includes("/node_modules/") ? plain : undefined;
}

function register(): void {
  if (isRegistered) return;
  isRegistered = true;
  serveOwnInstance();
  leaveOutRemarks();
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith(SCHEME)) return next(specifier, context);
      const [wanted, parentURL] = JSON.parse(specifier.slice(SCHEME.length));
      const found = next(wanted, { ...context, parentURL });
      resolved.set(specifier, found.url);
      return found;
    },
  });
}

/** Remarks on how we load, or that a package.json has no `"type"`, are no news to who wrote one function beside a program. */
function leaveOutRemarks(): void {
  const listeners = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning: Error & { readonly code?: string }) => {
    if (warning.code === "MODULE_TYPELESS_PACKAGE_JSON") return;
    if (warning.message.includes("USE_MAIN_CONTEXT_DEFAULT_LOADER")) return;
    for (const listener of listeners) listener(warning);
  });
}

/**
 * Returns Node's message about a module that it can't load, without the name that stands in for the
 * program's file.
 */
export function importMessage(thrown: unknown): string {
  const [first = ""] = messageOf(thrown).split("\n", 1);
  return first.replace(/ imported from .*$/, "").replaceAll(/'([^']*)'/g, "`$1`");
}

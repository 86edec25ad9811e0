/** Loads modules for cells from the working folder, as a file `cell.ts` in it would. */
import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { importFrom } from "../../programs/import-module.ts";
import type { ScriptScope } from "../run-script.ts";
import { isCommonJs, reloadedModule } from "./local-modules.ts";
import * as tslabModule from "./tslab-module.ts";

export interface CellModules {
  readonly scope: Omit<ScriptScope, "exports">;
  /**
   * After `thrown`: loads the module that awaits at top level and so can't be required; `require` has it from then on.
   * False when `thrown` is about something else.
   */
  loadMissing(thrown: unknown): Promise<boolean>;
}

/** Returns the modules of the present working folder. */
export function cellModules(): CellModules {
  const dirname = process.cwd();
  const filename = join(dirname, "cell.ts");
  const plain = createRequire(filename);
  const loaded = new Map<string, unknown>([["tslab", asCommonJs(tslabModule)]]);
  let missing: { readonly id: string; readonly thrown: unknown } | undefined;
  const load = (id: string) => {
    if (loaded.has(id)) return loaded.get(id);
    try {
      const isFile = id.startsWith(".") || isAbsolute(id);
      const anew = isFile ? reloadedModule(plain.resolve(id)) : undefined;
      if (anew !== undefined && !isCommonJs(anew)) return asCommonJs(anew);
      return plain(id);
    } catch (thrown) {
      if (isAsyncModule(thrown)) missing = { id, thrown };
      throw thrown;
    }
  };
  const importModule = async (specifier: string): Promise<object> =>
    specifier === "tslab" ? tslabModule : await importFrom(specifier, filename);
  return {
    scope: {
      require: new Proxy(plain, { apply: (_target, _this, [id]: [string]) => load(id) }),
      importModule,
      importMeta: importMeta(plain, { filename, dirname }),
      filename,
      dirname,
    },
    async loadMissing(thrown) {
      if (missing === undefined || missing.thrown !== thrown || loaded.has(missing.id))
        return false;
      loaded.set(missing.id, asCommonJs(await importModule(missing.id)));
      return true;
    },
  };
}

function isAsyncModule(thrown: unknown): boolean {
  return (thrown as { code?: unknown } | null)?.code === "ERR_REQUIRE_ASYNC_MODULE";
}

/** Returns a namespace in the form that the compiler's helpers expect of a former ES module. */
function asCommonJs(namespace: object): object {
  return Object.create(namespace, { __esModule: { value: true } }) as object;
}

function importMeta(
  require: NodeJS.Require,
  { filename, dirname }: { readonly filename: string; readonly dirname: string },
): object {
  const resolve = (specifier: string): string => {
    const resolved = require.resolve(specifier);
    return resolved.startsWith("/") ? pathToFileURL(resolved).href : resolved;
  };
  return { url: pathToFileURL(filename).href, filename, dirname, main: false, resolve };
}

/** Refuses a second copy of Madrigal in one process, and serves `import "madrigal"` from the first. */
import { registerHooks } from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { LIBRARY } from "../../dsl/index.ts";
import { RunError } from "../../runtime/index.ts";

const KEY = Symbol.for("madrigal.instance");
const ownUrl = import.meta.url;

/** Throws M7301 when another copy of the package is loaded in this process. */
export function assertOnlyInstance(): void {
  const place = globalThis as { [KEY]?: string };
  const other = place[KEY];
  if (other === undefined) {
    Object.defineProperty(place, KEY, { value: ownUrl });
  } else if (other !== ownUrl) {
    throw new RunError("M7301", `madrigal is loaded already, from ${folderOf(other)}`, {
      hint: `the second copy is in ${folderOf(ownUrl)}; \`npm ls madrigal\` shows who brings it`,
    });
  }
}

let isRegistered = false;

/** Makes `import "madrigal"` this very copy, whoever imports it and wherever the file lies. */
export function serveOwnInstance(): void {
  if (isRegistered) return;
  isRegistered = true;
  assertOnlyInstance();
  const ending = extname(ownUrl);
  const urls = new Map([
    ["madrigal", new URL(`../index${ending}`, ownUrl).href],
    [LIBRARY, new URL(`./programs${ending}`, ownUrl).href],
  ]);
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = urls.get(specifier);
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
  });
}

function folderOf(url: string): string {
  return fileURLToPath(new URL("../..", url));
}

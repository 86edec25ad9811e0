/** Refuses a second copy of Madrigal in one process, and serves `import "madrigal"` from the first. */
import { registerHooks } from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
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
  const url = new URL(`../index${extname(ownUrl)}`, ownUrl).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "madrigal" ? { url, shortCircuit: true } : next(specifier, context),
  });
}

function folderOf(url: string): string {
  return fileURLToPath(new URL("../..", url));
}

/** `node as-old-node.ts SCRIPT ARG …`: runs a script of the project as if this Node were one that can't run TypeScript. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [script = "", ...words] = process.argv.slice(2);
const path = join(import.meta.dirname, "..", "..", "..", script);
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });
process.argv.splice(1, process.argv.length - 1, path, ...words);
await import(pathToFileURL(path).href);

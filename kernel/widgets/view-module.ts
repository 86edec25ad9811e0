/** Bundles a view of a widget into one module of JavaScript, as anywidget loads it. */
import { readdirSync, readFileSync } from "node:fs";

const modules = new Map<string, string>();

/** `name` is a file of this folder. */
export function viewModule(name: string): string {
  const known = modules.get(name);
  if (known !== undefined) return known;
  const place = readViewFile("place.js").replaceAll(/^export /gm, "");
  const made = readViewFile(name).replace(/^import .* from "\.\/place\.js";$/m, place);
  modules.set(name, made);
  return made;
}

/** The views of this folder, by their files. */
export function viewNames(): readonly string[] {
  const files = readdirSync(new URL(".", import.meta.url));
  return files.filter((name) => name.endsWith(".js") && name !== "place.js");
}

function readViewFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

/** Bundles a view of a widget into one module of JavaScript, as anywidget loads it. */
import { readdirSync, readFileSync } from "node:fs";

const modules = new Map<string, string>();

/** The files of this folder that views import. */
const SHARED: ReadonlySet<string> = new Set(["file-picker.js", "place.js", "plan-editor.js"]);

/** `name` is a file of this folder. */
export function viewModule(name: string): string {
  const known = modules.get(name);
  if (known !== undefined) return known;
  const made = withImports(name, new Set());
  modules.set(name, made);
  return made;
}

/** The text of a file behind those of all that it imports, each once. */
function withImports(name: string, seen: Set<string>): string {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text.replaceAll(/^import .* from "\.\/(.*)";$/gm, (_, file: string) => {
    if (seen.has(file)) return "";
    seen.add(file);
    return withImports(file, seen).replaceAll(/^export /gm, "");
  });
}

/** The views of this folder, by their files. */
export function viewNames(): readonly string[] {
  const files = readdirSync(new URL(".", import.meta.url));
  return files.filter((name) => name.endsWith(".js") && !SHARED.has(name));
}

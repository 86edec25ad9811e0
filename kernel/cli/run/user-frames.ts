/** Finds the lines of a stack that are in the user's own files. */
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isOwnPath } from "../../own-code.ts";

const FRAMES = 3;

/** The first frames in files that are neither Node's, a package's nor ours: `name file:line:column`. */
export function userFrames(stack: string): readonly string[] {
  return stack
    .split("\n")
    .flatMap((line) => frameOf(line) ?? [])
    .slice(0, FRAMES);
}

function frameOf(line: string): string | undefined {
  const [, called, place] = /^\s+at (?:([^/]+?) \()?(.+:\d+:\d+)\)?$/.exec(line) ?? [];
  const path = place === undefined ? undefined : pathOf(place);
  if (path === undefined || !isUsers(path)) return undefined;
  const near = relative(process.cwd(), path);
  const shown = near.startsWith("..") ? path : near;
  return called === undefined ? shown : `${called} ${shown}`;
}

/** A path with its line and column; a module's URL may have a query. */
function pathOf(place: string): string | undefined {
  const [, file = "", position = ""] = /^(.*?)(:\d+:\d+)$/.exec(place) ?? [];
  const plain = file.replace(/^async /, "").replace(/\?.*$/, "");
  if (isAbsolute(plain)) return `${plain}${position}`;
  return plain.startsWith("file://") ? `${fileURLToPath(plain)}${position}` : undefined;
}

function isUsers(path: string): boolean {
  return !/[/\\]node_modules[/\\]/.test(path) && !isOwnPath(path);
}

/** Tells which scripts are the user's; the debugger stops in nothing else. */
import { fileURLToPath } from "node:url";
import { isOwnUrl, OWN_URLS } from "../../../own-code.ts";

const CELL = /^\w+\[\d+\]$/;
/** Names of the scripts that front ends evaluate beside a cell. */
const EXPRESSION = /^Expression\[/;

export function isCell(url: string): boolean {
  return CELL.test(url) && !EXPRESSION.test(url);
}

/** A module of the user that a cell imported, as files are called by stacks. */
export function isUserFile(url: string): boolean {
  return url.startsWith("file:") && !url.includes("/node_modules/") && !isOwnUrl(url);
}

/** The path of such a module. */
export function pathOfFile(url: string): string {
  return fileURLToPath(url);
}

/**
 * Patterns of the names of scripts that the inspector steps over by itself. It can't where a script
 * came with Node's own snapshot.
 */
export const STEPPED_OVER: readonly string[] = [
  "^node:",
  "/node_modules/",
  "^madrigal-",
  "^Expression\\[",
  ...OWN_URLS.map((folder) => `^${folder.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
];

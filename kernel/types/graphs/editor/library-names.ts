/** Completes and explains the programs of Madrigal's library where a graph cell imports them. */
import { readFileSync } from "node:fs";
import { LIBRARY, LIBRARY_GRAPHS } from "../../../../dsl/index.ts";
import { libraryPath } from "../../../programs/library-path.ts";
import type { CompletionItem } from "../../service.ts";

/** The graphs that an import may name, each with its head. */
export function libraryGraphs(): readonly CompletionItem[] {
  return Object.keys(LIBRARY_GRAPHS).map((text) => {
    const page = libraryPage(text);
    return { text, type: "graph", ...(page === undefined ? {} : { signature: page.head }) };
  });
}

/** Returns the head of a library's graph as its program has it, and the comment above the program. */
export function libraryPage(
  name: string,
): { readonly head: string; readonly about: string } | undefined {
  if (!Object.hasOwn(LIBRARY_GRAPHS, name)) return undefined;
  const path = libraryPath(`${LIBRARY}/${LIBRARY_GRAPHS[name]}`);
  if (path === undefined) return undefined;
  const text = readFileSync(path, "utf8");
  const head = new RegExp(`^graph ${name}\\b[^{]*`, "m").exec(text)?.[0] ?? `graph ${name}`;
  const about = /^(?:\/\/.*\n)+/.exec(text)?.[0] ?? "";
  return { head: oneLine(head), about: oneLine(about.replaceAll(/^\/\/ ?/gm, "")) };
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")");
}

/** Tells whether the text of a graph cell is complete. */
import type { Completeness } from "../../service.ts";

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" };
// A template in three backticks first, then one, then what brackets may stand in without meaning anything.
const TOKENS = /```|`|\$\{|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|[[\](){}]|\\./g;

/**
 * Returns whether a program may end here: every bracket and backtick is closed, and no token needs
 * another one.
 */
export function completenessOfGraph(text: string): Completeness {
  const open = openAt(text);
  const waits = /(?:->|,|\|)\s*$/.test(text);
  if (text.trim() === "" || open.length > 0 || waits)
    return { status: "incomplete", indent: "  ".repeat(open.length) };
  return { status: "complete", indent: "" };
}

/**
 * Returns the brackets, templates and holes that are open at the end of the text, from the outside
 * in.
 */
function openAt(text: string): readonly string[] {
  const open: string[] = [];
  for (const [token] of text.matchAll(TOKENS)) {
    const inner = open.at(-1);
    const isText = inner === "`" || inner === "```";
    if (isText) {
      if (token === inner) open.pop();
      else if (token === "${") open.push(token);
    } else if (token === "`" || token === "```" || token in CLOSING) open.push(token);
    else if (inner !== undefined && CLOSING[inner] === token) open.pop();
  }
  return open;
}

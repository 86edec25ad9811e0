/** Indents lines of graphs by two columns for each open bracket; cells of other kinds are indented as their language does. */
import { classify } from "./classify.js";

const UNIT = 2;

/** An extension of the editor. */
export function indentGraphs({ indentService }) {
  return indentService.of(({ state }, position) => {
    const { doc } = state;
    // The rule of what a cell is reads its beginning.
    if (classify(doc.sliceString(0, 20_000)).kind !== "graph") return undefined;
    const line = doc.lineAt(position);
    const closes = /^\s*[})\]]/.test(doc.sliceString(position, line.to)) ? 1 : 0;
    for (let number = doc.lineAt(position - 1 < 0 ? 0 : position).number; number > 0; number -= 1) {
      const { from, to, text } = doc.line(number);
      const before = from <= position && position <= to ? text.slice(0, position - from) : text;
      if (before.trim() === "") continue;
      const column = before.length - before.trimStart().length;
      return Math.max(0, column + UNIT * (opens(before) - closes));
    }
    return 0;
  });
}

/** Returns 1 if more brackets are opened in a line than closed; those in texts and comments do not count. */
function opens(line) {
  const code = line.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|\/\/.*$/g, "");
  let depth = 0;
  for (const character of code.trimStart().replace(/^[})\]]+/, "")) {
    if ("{([".includes(character)) depth += 1;
    else if ("})]".includes(character)) depth -= 1;
  }
  return depth > 0 ? 1 : 0;
}

/** Recognises magics and shell commands of other notebooks and says what to write instead. */
import { nearest, type Source } from "../../../dsl/index.ts";
import { cut } from "../../display/visible.ts";
import { lineMagics, magics } from "../magics/magic-table.ts";
import { wrongAt } from "../magics/read-magic.ts";

const MAGICS = magics.map(({ name }) => name);

/** Throws where a cell begins with a magic that there is not. */
export function refuseForeignMagic(source: Source): void {
  const magic = /^\s*(%+[\w.-]*)/.exec(source.text)?.[1];
  if (magic === undefined) return;
  if (magic === "%%time") refuseCodeBehindTime(source);
  if (MAGICS.includes(magic)) return;
  const start = source.text.indexOf(magic);
  throw wrongAt(
    source,
    { text: magic, start, end: start + magic.length },
    {
      code: "M7507",
      message: `there is no magic \`${magic}\``,
      hint: magicHint(magic),
    },
  );
}

/** Alone on its line, it is taken away before the cell is read. */
function refuseCodeBehindTime(source: Source): void {
  const [whole = "", before = "", code = ""] = /^(\s*%%time[ \t]*)(.*)/.exec(source.text) ?? [];
  if (code === "") return;
  const word = { text: code, start: before.length, end: whole.trimEnd().length };
  throw wrongAt(source, word, {
    code: "M7504",
    message: `\`%%time\` has no place for \`${cut(code.trim(), 60)}\``,
    hint: "the code begins on the line below `%%time`; `%timeit EXPRESSION` is one line",
  });
}

function magicHint(magic: string): string {
  if (DEBUGGERS.includes(magic)) return DEBUGGER_HINT;
  const meant = MAGICS.find((name) => name.startsWith(magic)) ?? nearest(magic, MAGICS);
  const others =
    "a cell begins with `%%graph`, `%%sql`, `%%bash`, `%%python`, or TypeScript; `%help` lists all magics";
  return meant === undefined ? others : `did you mean \`${meant}\`? ${others}`;
}

/** Those by which others look at the frames of an error. */
const DEBUGGERS = ["%debug", "%pdb"];
const DEBUGGER_HINT =
  "the frames of an error are gone once it is shown: turn the debugger on (the bug in the toolbar), tick its exceptions, and run the cell again; it stops where it throws, with the locals of each frame";

/** Behind `!`, or one that is meant for a shell by its first word. */
const COMMAND = /^(?:!\s*)?((?<=!\s*)\S.*|(?:pip|npm|npx|cd|ls|git|curl)\s+\S.*)$/;

/**
 * Returns the hint about a line of another system (Python, a shell) that TypeScript can't parse;
 * undefined if it is not recognized.
 */
export function foreignLineHint(line: string): string | undefined {
  const text = line.trim();
  if (/^%/.test(text))
    return `\`%%graph\`, \`%%sql\`, \`%%bash\`, \`%%python\` and \`%%time\` stand on the first line of a cell, ${lineMagics.map((name) => `\`${name}\``).join(", ")} in one of their own`;
  if (/^\??[\p{L}_$][\p{L}\p{N}_$.]*\?{0,2}$/u.test(text) && text.includes("?")) {
    return "Shift+Tab on a name tells what it is, and Tab what can follow it";
  }
  const graph = /^graph\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*\{/u.exec(text)?.[1];
  if (graph !== undefined) {
    return `is this a graph? It has parameters, if only none: \`graph ${graph}() returns … {\``;
  }
  const command = COMMAND.exec(text)?.[1];
  if (command === undefined) return undefined;
  return `a command of a shell begins with \`!\`, in a cell with nothing else: \`!${command}\`; or it stands below \`%%bash\``;
}

/** Reads the names of a function's parameters from its text. */

/** In their order; undefined for one without a name (`{ a, b }`, `...rest`). Undefined where the text is not to be had. */
export function parameterNames(
  fn: (...args: never[]) => unknown,
): readonly (string | undefined)[] | undefined {
  const text = withoutComments(Function.prototype.toString.call(fn));
  if (text.includes("[native code]") || /^class\b/.test(text)) return undefined;
  const bare = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(text)?.[1];
  if (bare !== undefined) return [bare];
  const from = text.indexOf("(");
  return from === -1 ? undefined : pieces(text.slice(from + 1)).map(nameOf);
}

function nameOf(parameter: string): string | undefined {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*(?:=|$))/u.exec(parameter.trim())?.[0];
}

/** Splits a parameter list at its commas, up to its closing bracket. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  let piece = "";
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (depth === 0 && token === ")") break;
    if (depth === 0 && token === ",") {
      found.push(piece);
      piece = "";
      continue;
    }
    if ("([{".includes(token)) depth += 1;
    if (")]}".includes(token)) depth -= 1;
    piece += token;
  }
  return piece.trim() === "" ? found : [...found, piece];
}

/** A text as a whole, or one character. */
const TOKENS = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\s\S]/g;

function withoutComments(text: string): string {
  return text.replace(COMMENTS, (token) => (token.startsWith("/") ? " " : token));
}

const COMMENTS =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

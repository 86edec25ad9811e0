/** Colours the words of graphs, SQL and magic lines, line by line. */
import { graphWords } from "./words.js";

/** The language of graphs: templates nest, and words behind a dot are names. */
export function graphTokens() {
  return {
    name: "madrigal-graph",
    startState: () => ({ inside: [], isMember: false }),
    copyState: ({ inside, isMember }) => ({ inside: [...inside], isMember }),
    token: (stream, state) => (isText(state) ? text(stream, state) : graphToken(stream, state)),
    languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
  };
}

const words = new Set(graphWords);
const types = new Set([
  "string",
  "number",
  "int",
  "boolean",
  "Json",
  "unknown",
  "any",
  "Array",
  "Record",
  "Private",
  "Artifact",
  "Image",
]);

const isText = ({ inside }) => inside.at(-1) === "`";

function text(stream, { inside }) {
  while (!stream.eol()) {
    if (stream.match("`")) {
      inside.pop();
      return "string";
    }
    if (stream.match("${", false)) {
      if (stream.pos > stream.start) return "string";
      stream.match("${");
      inside.push("{");
      return "brace";
    }
    if (stream.next() === "\\") stream.next();
  }
  return "string";
}

function graphToken(stream, state) {
  const { inside } = state;
  if (stream.eatSpace()) return null;
  if (inside.at(-1) === "*" || stream.match("/*")) return blockComment(stream, inside);
  if (stream.match("//")) return lineComment(stream);
  if (stream.sol() && stream.match(/%%?\w+.*/)) return "meta";
  const isMember = state.isMember;
  state.isMember = false;
  if (stream.match("`")) {
    inside.push("`");
    return "string";
  }
  if (stream.match(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/)) return "string";
  if (stream.match(/\$?\d+(?:\.\d+)?\w*/)) return "number";
  if (stream.match(/->|=>|[=!<>]=+|&&|\|\||\?\?|[-+*/%<>=!|&?]/)) return "operator";
  if (stream.match(/[\p{L}_$][\p{L}\p{N}_$]*/u)) return wordStyle(stream.current(), isMember);
  const sign = stream.next();
  if (sign === ".") state.isMember = true;
  if (sign === "{" && inside.length > 0) inside.push("{");
  if (sign === "}" && inside.length > 0) inside.pop();
  return "punctuation";
}

function wordStyle(word, isMember) {
  if (isMember) return "propertyName";
  if (["true", "false", "null"].includes(word)) return "atom";
  if (types.has(word)) return "typeName";
  return words.has(word) ? "keyword" : "variableName";
}

function blockComment(stream, inside) {
  const isEnded = stream.match(/.*?\*\//);
  if (!isEnded) stream.skipToEnd();
  const isOpen = inside.at(-1) === "*";
  if (isEnded && isOpen) inside.pop();
  if (!isEnded && !isOpen) inside.push("*");
  return "comment";
}

function lineComment(stream) {
  stream.skipToEnd();
  return "comment";
}

/** SQL as DuckDB reads it, behind our magic line, with holes of TypeScript. */
export function sqlTokens() {
  return {
    name: "madrigal-sql",
    startState: () => ({ inside: [] }),
    copyState: ({ inside }) => ({ inside: [...inside] }),
    token: sqlToken,
    languageData: { commentTokens: { line: "--" } },
  };
}

function sqlToken(stream, { inside }) {
  if (stream.eatSpace()) return null;
  if (inside.at(-1) === "*" || stream.match("/*")) return blockComment(stream, inside);
  if (stream.match("--")) return lineComment(stream);
  if (stream.sol() && stream.match(/%%?\w+.*/)) return "meta";
  if (stream.match(/\$\{[^}]*\}?/)) return "special";
  if (stream.match(/'(?:[^']|'')*'?/)) return "string";
  if (stream.match(/"(?:[^"]|"")*"?/)) return "variableName";
  if (stream.match(/\d+(?:\.\d+)?/)) return "number";
  if (stream.match(/[-+*/%<>=!|:]+/)) return "operator";
  if (stream.match(/[\p{L}_][\p{L}\p{N}_]*/u)) {
    return sqlWords.has(stream.current().toLowerCase()) ? "keyword" : "variableName";
  }
  stream.next();
  return "punctuation";
}

const sqlWords = new Set(
  `all and any as asc between by case cast cross desc describe distinct else end except exists false filter first
  following from full group having ilike in inner intersect interval is join last lateral left like limit not null
  nulls offset on or order outer over partition pivot preceding qualify right row rows sample select semi show similar
  summarize table then true unbounded union unnest unpivot using values when where window with`.split(
    /\s+/,
  ),
);

/** Magics of a line each: `%config`, `%runs`, `%help`. */
export function magicTokens() {
  return {
    name: "madrigal-magic",
    startState: () => ({}),
    token: magicToken,
    languageData: { commentTokens: { line: "//" } },
  };
}

function magicToken(stream) {
  if (stream.sol() && stream.match(/\s*\/\//)) return lineComment(stream);
  if (stream.eatSpace()) return null;
  if (stream.match(/%%?\w+/)) return "meta";
  if (stream.match(/"[^"]*"?|'[^']*'?/)) return "string";
  if (stream.match(/--[\w-]+/)) return "keyword";
  if (stream.match(/-?\d+(?:\.\d+)?(?!\S)/)) return "number";
  stream.match(/[^\s"']+/);
  return "variableName";
}

/** Colours the code of cells in a page: comments, texts, numbers and words of TypeScript, of graphs, of SQL and of a shell. */
import { languageWords } from "../../../dsl/index.ts";
import { type CellKind, classify } from "../../cells/kinds/classify.ts";
import { escapeMarkup } from "../../display/escape.ts";

type CodePart = "comment" | "string" | "number" | "word" | "magic";

/** HTML of spans with the classes `nb-comment` and so on; all of the code stands in it. */
export function colouredCode(code: string): string {
  const { kind } = classify(code);
  let html = "";
  let end = 0;
  for (const match of code.matchAll(LEXERS[kind])) {
    const part = partOf(match, kind);
    html += escapeMarkup(code.slice(end, match.index));
    const text = escapeMarkup(match[0]);
    html += part === undefined ? text : `<span class="nb-${part}">${text}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeMarkup(code.slice(end));
}

const MAGIC = "(?<magic>^[ \\t]*%%?[a-z]+[^\\n]*)";
const SLASHES = "(?<comment>\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?(?:\\*\\/|$))";
const TEXTS =
  "(?<string>\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'(?:[^'\\\\\\n]|\\\\.)*'?|`(?:[^`\\\\]|\\\\[\\s\\S])*`?)";
const NUMBER = "(?<number>(?<![\\p{L}\\p{N}_$])\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?[a-z%]*)";
const WORD = "(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)";

function lexer(...parts: readonly string[]): RegExp {
  return new RegExp(parts.join("|"), "gmu");
}

const SCRIPT = lexer(MAGIC, SLASHES, TEXTS, NUMBER, WORD);
const LEXERS: Readonly<Record<CellKind, RegExp>> = {
  typescript: SCRIPT,
  graph: SCRIPT,
  magic: SCRIPT,
  sql: lexer(
    MAGIC,
    "(?<comment>--[^\\n]*|\\/\\*[\\s\\S]*?(?:\\*\\/|$))",
    "(?<string>'(?:[^']|'')*'?)",
    NUMBER,
    WORD,
  ),
  python: lexer(
    MAGIC,
    "(?<comment>#[^\\n]*)",
    "(?<string>\"\"\"[\\s\\S]*?(?:\"\"\"|$)|'''[\\s\\S]*?(?:'''|$)|\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'(?:[^'\\\\\\n]|\\\\.)*'?)",
    NUMBER,
    WORD,
  ),
  shell: lexer(MAGIC, "(?<comment>(?<!\\S)#[^\\n]*)", TEXTS),
};

function partOf({ groups = {} }: RegExpExecArray, kind: CellKind): CodePart | undefined {
  const found = Object.keys(groups).find((name) => groups[name] !== undefined);
  if (found !== "word") return found as CodePart | undefined;
  const word = groups.word ?? "";
  return WORDS[kind]?.has(kind === "sql" ? word.toUpperCase() : word) === true ? "word" : undefined;
}

const TYPESCRIPT = new Set(
  "as async await break case catch class const continue default delete do else enum export extends false finally for from function if implements import in instanceof interface keyof let new null of readonly return satisfies static super switch this throw true try type typeof undefined var void while yield".split(
    " ",
  ),
);

const WORDS: Partial<Readonly<Record<CellKind, ReadonlySet<string>>>> = {
  typescript: TYPESCRIPT,
  python: new Set(
    "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield".split(
      " ",
    ),
  ),
  graph: new Set([...languageWords, "import", "from", "type", "true", "false", "null"]),
  sql: new Set(
    "ALL AND ANTI AS ASC ASOF BETWEEN BY CASE CAST CREATE CROSS CUBE DELETE DESC DESCRIBE DISTINCT DROP ELSE END EXCEPT EXCLUDE EXISTS FALSE FILTER FOLLOWING FROM FULL GROUP HAVING ILIKE IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT MACRO NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION PIVOT PRECEDING QUALIFY RANGE RECURSIVE REPLACE RIGHT ROLLUP ROWS SAMPLE SELECT SEMI SET SUMMARIZE TABLE TEMP TEMPORARY THEN TRUE UNBOUNDED UNION UNNEST UNPIVOT UPDATE USING VALUES VIEW WHEN WHERE WINDOW WITH".split(
      " ",
    ),
  ),
};

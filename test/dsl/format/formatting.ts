/** The one place of these tests that knows the API: text in, formatted text out. */
import { readdirSync, readFileSync } from "node:fs";
import { format, parse, withoutSpans } from "../../../dsl/index.ts";
import { programs } from "../syntax/reading.ts";

const tests = readdirSync(new URL("../programs/tests/", import.meta.url));

/** The six programs of the language definition, their tests, the library's, and one with every form that there is. */
export const written = [
  ...programs,
  ...[
    ...tests.map((file) => `../programs/tests/${file}`),
    "../programs/models.madrigal",
    "../../../runtime/library/deep-search.madrigal",
    "every-form.madrigal",
  ].map((file) => ({ file, text: readFileSync(new URL(file, import.meta.url), "utf8") })),
];

/** The text as the formatter leaves it; throws if it is refused. */
export function formatted(text: string): string {
  const result = format({ file: "test.madrigal", text });
  if ("text" in result) return result.text;
  throw new Error(`refused: ${JSON.stringify(result.refused)}`);
}

/** Why the formatter leaves a text alone, as `reason code line:column message`. */
export function refusal(text: string): string | undefined {
  const result = format({ file: "test.madrigal", text });
  if ("text" in result) return undefined;
  const { reason, diagnostic } = result.refused;
  const { code, line, column, message } = diagnostic;
  return `${reason} ${code} ${line}:${column} ${message}`;
}

/** The lines inside a graph, formatted in it and taken out of it again. */
export function inGraph(items: string): string {
  const [, ...lines] = formatted(`graph G {\n${items}\n}\n`).trimEnd().split("\n");
  return lines
    .slice(0, -1)
    .map((line) => line.replace(/^ {2}/, ""))
    .join("\n");
}

/** The clauses of a node, formatted there, on one line or on several. */
export function inNode(clauses: string): string {
  const text = inGraph(`agent a {\n${clauses}\n}`);
  const oneLine = /^agent a \{ (.*) \}$/.exec(text)?.[1];
  if (oneLine !== undefined) return oneLine;
  const lines = text.split("\n").slice(1, -1);
  return lines.map((line) => line.replace(/^ {2}/, "")).join("\n");
}

/** The tree of a text and whether anything is wrong with it, without places. */
export function treeOf(text: string): { readonly ast: unknown; readonly isRight: boolean } {
  const { ast, findings } = parse({ file: "test.madrigal", text });
  return { ast: withoutSpans(ast), isRight: findings.length === 0 };
}

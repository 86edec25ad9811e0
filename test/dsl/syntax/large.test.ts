/** Large and odd texts are read to their end, or refused with a code; none takes for ever. */
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";

const million = 1_000_000;

/** A text of a million characters, made of one piece again and again. */
function much(piece: string): string {
  return piece.repeat(million / piece.length);
}

/** The codes that are said, each once. */
function codesOf(text: string): readonly string[] {
  const { diagnostics } = check({ file: "large.madrigal", text }, { allowUnreadPrograms: true });
  return [...new Set(diagnostics.map(({ code }) => code))];
}

test.each([
  ["a string", `model m = "openai/${much('x \\" ')}"`],
  ["a prompt", `model m = \`${much("x y ")}\``],
  ["a prompt of many lines", `model m = \`\`\`${much("x\n y ")}\`\`\``],
  ["a prompt of escapes and dollars", `model m = \`${much("\\n$ ")}\``],
  ["a comment", `// ${much("x y ")}\nmodel m = 1`],
  ["a list", `config { a: [${much("1, ")}1] }`],
  ["a name", `model ${much("x")} = 1`],
  ["spaces", `model m${much(" ")}= 1`],
  ["a type", `type T = [${much("string, ")}string]`],
])("a line of 1 MB: %s", (_what, text) => {
  expect(codesOf(text)).toEqual([]);
});

test.each([
  ["M1001", "characters that mean nothing", much("#")],
  ["M1001", "NUL", much("\0")],
  ["M1002", "a string without end", `model m = "${much("x ")}\nmodel n = 1`],
  ["M1002", "strings without end", much('model m = "abc\n')],
  ["M1005", "a comment without end", `/* ${much("x ")}`],
  ["M1101", "words in a graph", `graph G {\n${much("foo bar\n")}}`],
  ["M1102", "backticks", much("`")],
  ["M1102", "words", much("agent x ")],
  ["M1102", "words in lines", much("agent x\n")],
  ["M1105", "closing braces", much("}")],
  ["M1112", "opening braces", much("{")],
  ["M1112", "signs", `model m = ${much("-")}1`],
  ["M1112", "dots", `model m = a${much(".b")}`],
  ["M1112", "operators", `model m = a${much(" + b")}`],
  ["M1112", "conditions", `model m = ${much("a ? b : ")}c`],
  ["M1112", "prompts in holes", `model m = ${much("`${")}`],
])("1 MB that is no program is %s: %s", (code, _what, text) => {
  expect(codesOf(text)).toEqual([code]);
});

/** A graph of so many nodes, one behind the other. */
function chain(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `a${index}`);
  const nodes = names.map((name) => `agent ${name} { model m; prompt \`\${q}\`; writes r }`);
  const head = 'model m = "openai/x"\ngraph G(q: string) returns r {\nstate { r: string = "" }\n';
  return `${head}${nodes.join("\n")}\nstart -> ${names.join(" -> ")}\n}`;
}

function fan(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `a${index}`);
  const nodes = names.map((name) => `run ${name} = f(q) writes r`);
  const head = "graph G(q: string) returns r {\nstate { r: string[] = [] via append }\n";
  return `${head}${nodes.join("\n")}\nstart -> [${names.join(", ")}]\n}`;
}

test.each([
  ["one behind the other", chain],
  ["side by side", fan],
])("10,000 nodes %s", (_what, write) => {
  const { graphs, diagnostics } = check({ file: "large.madrigal", text: write(10_000) });
  expect(diagnostics).toEqual([]);
  expect(graphs[0]?.nodes).toHaveLength(10_000);
});

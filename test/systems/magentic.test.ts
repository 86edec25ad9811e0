/** Magentic as somebody configures it: every setting of it is an input that is typed and used, and a wrong one is told. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check } from "../../dsl/index.ts";
import { exitCode, workspace } from "../kernel/cli/calling.ts";
import { projectRoot } from "../support/child.ts";
import { madrigal } from "../support/warm/madrigal.ts";

const library = join(projectRoot, "runtime/library");
const program = readFileSync(join(library, "magentic.madrigal"), "utf8");

function inputsOf(text: string) {
  const { graphs, diagnostics } = check({ file: "magentic.madrigal", text });
  return { params: graphs[0]?.params ?? [], codes: diagnostics.map(({ code }) => code) };
}

test("M123 [TY] each setting of Magentic is an input with a type, stands in its page, and is used", () => {
  const page = readFileSync(join(library, "magentic.md"), "utf8");
  const { params, codes } = inputsOf(program);
  expect(codes).toEqual([]);
  expect(params.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual(
    [],
  );
  expect(params.length).toBeGreaterThan(12);
});

test.each([
  ["an input that does not exist", { task: "a", cooperativ: false }, "cooperativ"],
  ["a value that is none of those", { task: "a", recalling: "often" }, "recalling"],
  ["another type", { task: "a", roundsMax: "many" }, "roundsMax"],
])("M03 [TY] %s is refused with its name, and nothing runs", async (_, input, name) => {
  const home = workspace();
  const given = ["--input", JSON.stringify(input)];
  const ended = await madrigal(["run", "madrigal/library/magentic", ...given], { home });
  expect(exitCode(ended)).not.toBe(0);
  expect(ended.stderr).toMatch(new RegExp(`error\\[M\\d{4}\\].*${name}`, "s"));
  expect((await madrigal(["runs"], { home })).stdout).toContain("no runs");
});

test("M03 [TY] an input that nothing reads is told by the check", () => {
  const unused = program.replace(
    'finalPrompt: string = ""',
    'finalPrompt: string = "", pace: int = 1',
  );
  expect(inputsOf(unused).codes).not.toEqual([]);
});

const PACED = `config { pace: 1, modes: { fast: { pace: 9 } } }
graph Paced() returns out {
  state { out: int = 0 }
  start -> end set out = pace
}
`;

test.each([
  ["the file", [], 1],
  ["its mode", ["--mode", "fast"], 9],
  ["the call", ["--mode", "fast", "--config", '{"pace": 4}'], 4],
] as const)("M125 [SM] a setting comes from %s, the nearest first", async (_, options, pace) => {
  const home = workspace({ "paced.madrigal": PACED });
  const ended = await madrigal(["run", "paced.madrigal", "--json", ...options], { home });
  expect(JSON.parse(ended.stdout).output).toEqual({ out: pace });
});

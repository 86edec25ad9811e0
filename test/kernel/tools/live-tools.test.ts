/** What a live model is told of the tools of a program, over HTTP: their parameters come from TypeScript. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { liveModel, stored } from "../../main-job/scene.ts";
import { madrigal, temporaryFolder } from "../../support/child.ts";
import type { ServerAnswer, ServerRequest } from "../../support/openai-server.ts";
import { type SignatureCase, signatureCases, untoldCases } from "./signatures.ts";

/** A folder with a program whose agent has the tools of these modules: `t0`, `t1`, … */
function project(cases: readonly SignatureCase[], more = ""): string {
  const home = temporaryFolder();
  const names = cases.map((_, at) => `t${at}`);
  for (const [at, { module }] of cases.entries()) writeFileSync(join(home, `t${at}.ts`), module);
  const imports = names.map((name) => `import { it as ${name} } from "./${name}.ts"\n`);
  const text = `${imports.join("")}model m = "openai-compatible/test-model"
graph G() returns answer {
  state { answer: string }
  agent ask { model m; tools ${names.join(", ")}; prompt \`Go on.\`; writes answer }
  start -> ask -> end
}
${more}`;
  writeFileSync(join(home, "g.madrigal"), text);
  return home;
}

async function ran(home: string, script: (request: ServerRequest) => ServerAnswer) {
  const { server, env } = await liveModel(script);
  const ended = await madrigal(["run", "g.madrigal", "--json"], { home, env });
  const tools = server.requests[0]?.body.tools ?? [];
  return { ended, told: tools.map((one) => one.function), requests: server.requests };
}

/** Calls the first tool with each of these inputs in turn, then answers. */
function calling(inputs: readonly unknown[]) {
  return ({ body }: ServerRequest): ServerAnswer => {
    const count = body.messages.filter(({ role }) => role === "tool").length;
    if (count === inputs.length) return { text: "done" };
    return { calls: [{ tool: "t0", input: inputs[count], id: `c${count}` }] };
  };
}

function answersIn(requests: readonly ServerRequest[]): readonly (string | null)[] {
  const messages = requests.at(-1)?.body.messages ?? [];
  return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}

function only(name: string): readonly SignatureCase[] {
  return signatureCases.filter((one) => one.name === name);
}

test("a live model is told what each tool takes, by the types and doc comments of its function", async () => {
  const { ended, told } = await ran(project(signatureCases), () => ({ text: "done" }));
  expect(ended.stderr).not.toContain("error[");
  const byName = told.map(({ name: _, ...one }, at) => [signatureCases[at]?.name, one]);
  expect(Object.fromEntries(byName)).toMatchSnapshot();
});

test("what no model can be told is an error at its place, in check and in run", async () => {
  const home = project(untoldCases);
  const checked = await madrigal(["check", "g.madrigal", "--json"], { home });
  const { diagnostics } = JSON.parse(checked.stdout);
  const said = diagnostics.map(({ code, line, column, message }: Record<string, unknown>) =>
    [code, `${line}:${column}`, message].join(" "),
  );
  expect(said).toMatchInlineSnapshot(`
    [
      "M4109 8:30 no model can be told what \`t0\` takes: its parameter \`when\` is a \`Date\`, which JSON does not have",
      "M4109 8:34 no model can be told what \`t1\` takes: its parameter \`of\` has a \`() => void\` in it, which JSON does not have",
      "M4109 8:38 no model can be told what \`t2\` takes: its parameter \`x\` is \`any\`",
      "M4109 8:42 no model can be told what \`t3\` takes: its parameter \`...words\` takes any number of arguments",
    ]
  `);
  expect(diagnostics[0].hint).toMatchInlineSnapshot(
    `"give it an \`input\`, JSON Schema or a schema of zod: \`tool(fn, { effect: "none", input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] } })\`"`,
  );
  const run = await madrigal(["run", "g.madrigal"], { home });
  expect([run.code, run.stderr.match(/error\[M4109\]/g)?.length]).toEqual([1, 4]);
});

test("arguments go to the parameters of their names; those that do not fit are told to the model", async () => {
  const inputs = [{ word: "ab" }, { word: "ab", limit: 2 }, { limit: 2 }, { word: "ab", limt: 2 }];
  const home = project(only("a plain function with arguments of its own"));
  const { ended, requests } = await ran(home, calling(inputs));
  expect(ended.code, ended.stderr).toBe(0);
  expect(answersIn(requests)).toMatchInlineSnapshot(`
    [
      "ababab",
      "abab",
      "Error: the arguments of \`t0\` do not fit: at \`word\`: expected a string, found nothing",
      "Error: the arguments of \`t0\` do not fit: at \`limt\`: expected no such member (there are word, limit), found the number 2",
    ]
  `);
});

test("a context is given behind the arguments, and left out of the schema", async () => {
  const home = project(only("tool() with several arguments and a context"));
  const { requests } = await ran(home, calling([{ a: 1, b: 2 }]));
  expect(answersIn(requests)).toEqual(["[3,false]"]);
});

test("the schema that a run was asked with stands in its log; a change of the source counts for the next run", async () => {
  const home = project(only("a plain function with arguments of its own"));
  await ran(home, () => ({ text: "done" }));
  const { session, records } = stored(home);
  const before = JSON.stringify(records());
  expect(before).toContain("how many meanings to give");
  await session.close();
  writeFileSync(join(home, "t0.ts"), "export const it = (letter: string) => letter;");
  const { told } = await ran(home, () => ({ text: "done" }));
  expect(told[0]?.parameters).toMatchObject({ required: ["letter"] });
});

test("tests in a program run with such tools", async () => {
  const answers = 'test "it answers" of G {\n  ask says "yes"\n  expect answer == "yes"\n}\n';
  const home = project(signatureCases, answers);
  const ended = await madrigal(["test", "g.madrigal"], { home });
  expect(ended.stdout, ended.stderr).toContain("1 passed");
});

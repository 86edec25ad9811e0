/** Runs the tests of a text, and tells how they came out: the one place here that knows the API. */
import { check } from "../../../dsl/index.ts";
import { runTest, type Scope, type TestResult } from "../../../runtime/index.ts";

export const MODEL = 'model m = "openai/gpt-4o"\n';

/** The results of all tests of a text that has no error, in its order. */
export async function results(text: string, scope: Scope = {}): Promise<readonly TestResult[]> {
  const { diagnostics, tests } = check({ file: "t.madrigal", text });
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new Error(`${error.code} ${error.line} ${error.message}`);
  const all: TestResult[] = [];
  for (const test of tests) all.push(await runTest(test, { scope }));
  return all;
}

/** One test around these lines, of the graph `G`. */
export async function outcome(graph: string, lines: string, scope?: Scope): Promise<TestResult> {
  const [result] = await results(`${MODEL}${graph}\ntest "t" of G {\n${lines}\n}`, scope);
  if (result === undefined) throw new Error("no test can run");
  return result;
}

/** How the test came out: `ok PATH`, or what was wrong, with what was seen instead. */
export async function told(graph: string, lines: string, scope?: Scope): Promise<string> {
  const { ok, path, faults } = await outcome(graph, lines, scope);
  if (ok) return `ok ${path.join(" ")}`;
  return faults
    .map(
      ({ code, message, detail }) =>
        `${code} ${message}${detail === undefined ? "" : `\n${detail}`}`,
    )
    .join("\n");
}

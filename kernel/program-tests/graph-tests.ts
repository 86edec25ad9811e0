/** Declares the tests of a program for Vitest, or any runner with a `test(name, body)`. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { renderDiagnostic } from "../../dsl/index.ts";
import { RunError, runTest, type TestResult } from "../../runtime/index.ts";
import { faultFrame } from "./fault-text.ts";
import { type OpenedTests, openTests } from "./open-tests.ts";

/** The function that declares a test: `test` of Vitest, or of `node:test`. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

/**
 * Declares one test for every `test` of a program, and one that fails if its text has errors. The file is a path from the
 * working folder, or a URL.
 */
export async function declareTests(file: string | URL, declare: DeclareTest): Promise<void> {
  const opened = await openTests(pathOf(file));
  const { tests, source } = opened;
  const wrong = errorText(opened);
  if (wrong !== "")
    declare(`${source.file} has no errors`, async () => {
      throw new RunError("M5002", wrong);
    });
  for (const { test, scope } of tests)
    declare(test.name, async () => assertPassed(await runTest(test, { scope })));
}

function pathOf(file: string | URL): string {
  return file instanceof URL ? relative(process.cwd(), fileURLToPath(file)) : file;
}

function errorText({ source, diagnostics, declared }: OpenedTests): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map((error) => renderDiagnostic(error, source)).join("\n\n");
  return declared === 0 ? `there is no test in \`${source.file}\`` : "";
}

function assertPassed({ test, faults }: TestResult): void {
  const [first] = faults;
  if (first === undefined) return;
  throw new RunError(first.code, faults.map((fault) => faultFrame(test, fault)).join("\n\n"));
}

/** Opens a file's tests and the functions that they call. */
import { resolve } from "node:path";
import { type Diagnostic, type Ir, parse, type Source, type TestIr } from "../../dsl/index.ts";
import { type Scope, workspaceAt } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { checkSource } from "../programs/check-source.ts";
import { loadScope } from "../programs/load-scope.ts";
import { readSource } from "../programs/read-source.ts";

/** The tests of a file. Errors in its text are in `diagnostics`; a test with one is not among `tests`. */
export interface OpenedTests {
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
  readonly tests: readonly OpenedTest[];
  /** The graphs of the file itself; none where its text has errors. */
  readonly graphs: readonly Ir[];
  /** All tests that the text declares, also those that can't run. */
  readonly declared: number;
  /** TypeScript that can't be loaded: tests that script its functions run all the same. */
  readonly notLoaded: readonly CommandError[];
}

/** A test, with the TypeScript of the file that its graph stands in. */
export interface OpenedTest {
  readonly test: TestIr;
  readonly scope: Scope;
}

/** Reads a file and what it imports; throws where there is no text to read. */
export async function openTests(
  file: string,
  options: { readonly isUntyped?: boolean } = {},
): Promise<OpenedTests> {
  const source = readSource(file);
  const declared = parse(source).ast.items.filter(({ kind }) => kind === "test").length;
  // Without a scope: what scripts stand for need not be there.
  const { diagnostics, graphs, tests } = await checkSource({
    source,
    path: resolve(file),
    types: options.isUntyped === true ? "named" : "checked",
  });
  const loaded = new Map<string, LoadedTests>();
  const opened: OpenedTest[] = [];
  for (const test of tests) {
    const of = test.ir.source ?? source;
    const { scope } = loaded.get(of.file) ?? (await load(of, loaded));
    opened.push({ test, scope });
  }
  const notLoaded = [...loaded.values()].flatMap(({ error }) => error ?? []);
  return { source, diagnostics, graphs, tests: opened, declared, notLoaded };
}

interface LoadedTests {
  readonly scope: Scope;
  readonly error?: CommandError;
}

async function load(source: Source, loaded: Map<string, LoadedTests>): Promise<LoadedTests> {
  const found = await scopeOf(source);
  loaded.set(source.file, found);
  return found;
}

async function scopeOf(source: Source): Promise<LoadedTests> {
  const workspace = workspaceAt(process.cwd(), process.env);
  try {
    return { scope: await loadScope({ source, path: resolve(source.file), workspace }) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { scope: {}, error };
  }
}

/** One token wrong is one thing said, there where it is. `MADRIGAL_FUZZ_SEED` repeats a run. */
import { expect, test } from "vitest";
import { check, type Diagnostic, positionAt, type Source } from "../../../dsl/index.ts";
import { tokenize } from "../../../dsl/syntax/lexer.ts";
import { type Mutant, mutants } from "./mutations.ts";

const count = 3000;
const seed = Number(process.env.MADRIGAL_FUZZ_SEED ?? Date.now() % 1_000_000);

test.each([42, seed])("3000 programs with one token wrong, seed %i", (start) => {
  const faulty = [...mutants(start, count)].map(errorsOf).filter(({ errors }) => errors.length > 0);
  const total = faulty.reduce((sum, { errors }) => sum + errors.length, 0);
  const right = faulty.filter(({ errors, lines }) => {
    const [only] = errors;
    return errors.length === 1 && only !== undefined && lines.includes(only.line);
  });
  const figures = { mean: total / faulty.length, right: right.length / faulty.length };
  process.stdout.write(`seed ${start}: ${faulty.length} faulty, ${JSON.stringify(figures)}\n`);
  expect(faulty.length).toBeGreaterThan(count / 2);
  expect(figures.mean).toBeLessThanOrEqual(1.3);
  expect(figures.right).toBeGreaterThanOrEqual(0.8);
});

interface Faulty {
  readonly errors: readonly Diagnostic[];
  /** The line of the token that was changed, and that of the next one. */
  readonly lines: readonly number[];
}

function errorsOf({ what, text, at }: Mutant): Faulty {
  const source = { file: "mutant.madrigal", text };
  try {
    const { diagnostics } = check(source, { allowUnreadPrograms: true });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    return { errors, lines: errors.length === 0 ? [] : linesAt(source, at) };
  } catch (cause) {
    throw new Error(what, { cause });
  }
}

function linesAt(source: Source, at: number): readonly number[] {
  const next = tokenize(source.text).tokens.find(({ startOffset }) => startOffset > at);
  return [at, next?.startOffset ?? at].map((offset) => positionAt(source, offset).line);
}

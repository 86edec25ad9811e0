/** Pain 5: storage that grows with the square of the steps, as each checkpoint holds the whole state again. */
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { Session } from "../../../runtime/index.ts";
import { newFolder } from "../trace/store.ts";

const text = `graph Grow(rounds: int) returns log {
  state { log: string[] = [] via append }
  run add = line(log.length) writes log
  limit 5k steps
  start -> add -> { log.length < rounds -> add, else -> end }
}`;

/** Bytes of the file of runs, and of the log as JSON, of one run of so many steps. */
async function stored(rounds: number): Promise<{ readonly file: number; readonly json: number }> {
  const session = new Session({ env: { MADRIGAL_HOME: newFolder() } });
  const scope = { line: (n: number) => [`line ${n} ${"x".repeat(100)}`] };
  const run = session.compile(text, { scope }).Grow?.run({ rounds });
  await run?.output;
  const json = JSON.stringify(session.store.read(run?.id ?? "")).length;
  const { runsFile } = session.workspace;
  await session.close();
  return { file: statSync(runsFile).size, json };
}

test("pain 5 four times the steps are four times the bytes, not sixteen times", async () => {
  const [few, many] = [await stored(300), await stored(1200)];
  expect(many.json / few.json).toBeLessThan(4.5);
  expect(many.file / few.file).toBeLessThan(5);
  // The state has grown to 1,200 lines of 108 bytes; every step holds only its own.
  expect(many.json).toBeLessThan(1200 * 1_500);
});

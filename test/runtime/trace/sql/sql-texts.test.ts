/** Every SQL text of the traces, found by itself: DuckDB binds each of them on the real schema. */
import { globSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { IN_MEMORY, openDatabase } from "../../../../runtime/trace/database/database.ts";
import { projectRoot } from "../../../support/child.ts";

const folder = join(projectRoot, "runtime", "trace");
const files = globSync("**/*.ts", { cwd: folder })
  // Runs as a thread, and has no text.
  .filter((file) => !file.endsWith("serve-traces.ts"))
  .map((file) => join(folder, file))
  .sort();
const WORDS = "SELECT|INSERT|DELETE|UPDATE|CREATE|WITH|FROM|COPY|ATTACH|PIVOT";

/** Bound only with the values that it is asked with: their types decide how it groups. */
const WITH_VALUES = ["LANE_BINS"];

test("each exported text is bound", async () => {
  const database = await openDatabase(IN_MEMORY);
  if ("kind" in database) throw new Error(database.message);
  onTestFinished(() => database.close());
  let bound = 0;
  for (const file of files) {
    const exported: Readonly<Record<string, unknown>> = await import(file);
    for (const [name, sql] of Object.entries(exported)) {
      if (typeof sql !== "string" || !new RegExp(`^\\s*(${WORDS})\\b`).test(sql)) continue;
      if (WITH_VALUES.includes(name)) continue;
      const problem = await database.writer.prepare(sql).then(
        () => undefined,
        (error: Error) => error.message,
      );
      expect(problem, `${relative(folder, file)}: ${name}`).toBeUndefined();
      bound += 1;
    }
  }
  expect(bound).toBeGreaterThan(60);
});

/** Texts that are made of parts are asked on real files by the tests of what makes them. */
const MADE_OF_PARTS = ["tables.ts", "trace-files.ts"];

/** Rooms whose texts are bound only with the files, values or spans that they are asked with. */
const WITH_ARGUMENTS = /^(agent-sql|charts|otlp|shared)\b/;

test("no other file of this folder has a text that is not exported", () => {
  const hidden = new RegExp(`(export )?const \\w+[^=\\n]*= \`\\s*(${WORDS})\\b`, "g");
  for (const file of files.filter((path) => !WITH_ARGUMENTS.test(relative(folder, path)))) {
    if (MADE_OF_PARTS.includes(basename(file))) continue;
    const text = readFileSync(file, "utf8");
    const found = [...text.matchAll(hidden)].filter(([, isExported]) => isExported === undefined);
    expect(
      found.map(([start]) => start),
      basename(file),
    ).toEqual([]);
  }
});

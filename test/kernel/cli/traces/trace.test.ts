/** `madrigal trace`: what is derived from the logs, made anew, made smaller, taken away. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { document, said, workspace } from "../calling.ts";

const quick = `graph Quick() returns n {
  state { n: int = 0 }
  run one = made() writes n
  start -> one -> end
}
`;

test("contract: trace rebuild, compact and prune, and a deleted run leaves no trace", async () => {
  const home = workspace({
    "quick.madrigal": quick,
    "scope.ts": "export const made = () => 1;\n",
  });
  const files = () =>
    readdirSync(join(home, ".madrigal", "traces", "runs")).filter((name) =>
      name.endsWith(".parquet"),
    );
  const run = ["run", "quick.madrigal", "--scope", "scope.ts"];
  for (const _ of [1, 2]) expect(await said(home, run)).toContain("exit 0");
  expect(files()).toHaveLength(2);
  expect((await document(home, ["trace", "compact", "--dry-run"])).json).toMatchObject({
    version: 1,
    dry_run: true,
    runs: 2,
    files: { before: 2, after: 1 },
  });
  expect(await said(home, ["trace", "compact"])).toMatch(
    /^exit 0\n2 files \([\d,]+ bytes\) of 2 runs became 1 \([\d,]+ bytes\)$/,
  );
  expect(await said(home, ["runs", "delete", "last"])).toBe("exit 0\ndeleted RUN");
  expect((await document(home, ["trace", "prune", "--older-than", "0m"])).json).toMatchObject({
    dry_run: false,
    deleted: ["RUN"],
    files: [],
  });
  expect(files()).toEqual([]);
  expect(await said(home, ["trace", "rebuild"])).toMatch(
    /^exit 0\n1 run is traced anew, from \d+ records$/,
  );
  expect(files()).toHaveLength(1);
  expect(existsSync(join(home, ".madrigal", "traces", "live-cli.duckdb"))).toBe(true);
});

test("a verb that is none is refused, with the one that was meant", async () => {
  const text = await said(workspace(), ["trace", "compct"]);
  expect(text).toMatch(/^exit 2\n/);
  expect(text).toContain("did you mean `compact`?");
});

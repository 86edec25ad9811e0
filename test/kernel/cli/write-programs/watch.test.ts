/** `check --watch` and `test --watch`: again at each change of the files, and of those that they import. */
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMadrigal } from "../../../support/child.ts";
import { put, said, workspace } from "../calling.ts";

const program = `import { one } from "./one.ts"
graph G() returns n {
  state { n: int = 0 via sum }
  run count = one() writes n
  start -> count -> end
}
`;
const one = (value: string) => `export const one = () => ${value};\n`;

test("check --watch checks again when a program or its TypeScript changes, goes and comes", async () => {
  const home = workspace({ "g.madrigal": program, "one.ts": one("1") });
  const child = startMadrigal(["check", "g.madrigal", "--watch"], { home });
  await child.said("1 file: 0 errors");
  await child.said("watching 2 files; Ctrl-C ends it");
  put(home, "one.ts", one('"text"'));
  await child.said("does not fit `number`");
  put(home, "one.ts", one("2"));
  put(home, "g.madrigal", program.replace("-> end", "-> nowhere"));
  await child.said("nowhere");
  // As editors write: another file in the place of the first.
  put(
    home,
    "new",
    program.replace("count = one", "counted = one").replace("-> count", "-> counted"),
  );
  renameSync(join(home, "new"), join(home, "g.madrigal"));
  // Errors are written to stderr, the sums to stdout.
  await child.said(/0 errors[\s\S]*1 error,[\s\S]*0 errors/);
  rmSync(join(home, "g.madrigal"));
  await child.said(/M7201|can't be read/);
  child.signal("SIGTERM");
  expect((await child.ended).signal).toBe("SIGTERM");
});

test("test --watch runs the tests again", async () => {
  const tested = (n: number) => `${program}test "one" of G {\n  expect n == ${n}\n}\n`;
  const home = workspace({ "g.madrigal": tested(2), "one.ts": one("1") });
  const child = startMadrigal(["test", "g.madrigal", "--watch"], { home });
  await child.said("1 failed");
  put(home, "one.ts", one("2"));
  await child.said(/1 passed/);
  child.signal("SIGTERM");
  await child.ended;
});

test("--watch and --json exclude each other", async () => {
  const home = workspace({ "g.madrigal": program, "one.ts": one("1") });
  const text = await said(home, ["check", "g.madrigal", "--watch", "--json"]);
  expect(text).toContain("`--watch` and `--json` exclude each other");
});

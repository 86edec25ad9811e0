/** `madrigal export` and `madrigal import`. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

const ship = `graph Ship() returns ok {
  state { ok: boolean = false }
  human signoff { ask \`Ship it?\`; writes ok }
  start -> signoff -> end
}
`;

test("contract: a run is exported to one file and imported elsewhere, where it waits as it did", async () => {
  const home = workspace({ "ship.madrigal": ship });
  await madrigal(["run", "ship.madrigal"], { home });
  expect(await said(home, ["export", "last", "ship.madrigal-run"])).toBe(
    "exit 0\nRUN is in ship.madrigal-run: 3 records",
  );
  const there = workspace();
  const file = join(home, "ship.madrigal-run");
  expect(await said(there, ["import", file])).toBe(
    "exit 0\nRUN is here: Ship, waiting; `madrigal show RUN` shows it",
  );
  expect((await document(there, ["show", "last"])).json).toMatchObject({
    status: "waiting",
    interrupts: [{ id: "signoff-0" }],
  });
  expect(await said(there, ["import", file])).toMatch(
    /error\[M5114\]: there is a run `RUN` already\n.*hint: `--copy` .* `--replace` /,
  );
  expect((await document(there, ["import", file, "--copy", "--thread", "t"])).json).toMatchObject({
    version: 1,
    thread_id: "t",
    graph: "Ship",
    status: "waiting",
  });
  expect(await said(there, ["import", file, "--copy", "--replace"])).toContain("M7104");
});

test("contract: without a name the file is called like the run; what can't be imported is said", async () => {
  const home = workspace({ "ship.madrigal": ship });
  await madrigal(["run", "ship.madrigal"], { home });
  const { exit, json } = await document(home, ["export", "last"]);
  expect({ exit, json }).toMatchObject({
    exit: 0,
    json: { file: "RUN.madrigal-run", records: 3, hidden: 0, left_out: [] },
  });
  writeFileSync(join(home, "other"), "something else\n");
  expect(await said(home, ["import", "other"])).toMatch(
    /^exit 1\n! error\[M5112\]: `other` can't be/,
  );
  expect(await said(home, ["import", "none"])).toMatch(
    /^exit 1\n! error\[M5116\]: `none` can't be read/,
  );
  expect(await said(home, ["export", "nothing"])).toContain("M5107");
  expect(existsSync(join(home, ".madrigal", "runs.sqlite"))).toBe(true);
});

test("runs are deleted by their ids or their thread, and pruned by age", async () => {
  const home = workspace({ "ship.madrigal": ship });
  for (const thread of ["t", "t", "u"])
    await madrigal(["run", "ship.madrigal", "--thread", thread], { home });
  expect((await document(home, ["runs", "--thread", "t"])).json).toMatchObject({
    runs: [{ thread_id: "t" }, { thread_id: "t" }],
  });
  expect(await said(home, ["runs", "prune", "--older-than", "1d"])).toBe(
    "exit 0\n0 runs and 0 artifacts (0 bytes) are gone",
  );
  expect(await said(home, ["abort", "last"])).toContain("exit 0");
  expect(await said(home, ["runs", "prune", "--older-than", "0s", "--dry-run"])).toBe(
    "exit 0\nwould delete RUN\n1 run would go",
  );
  // Without an age no run is old enough.
  expect(await said(home, ["runs", "prune"])).toBe(
    "exit 0\n0 runs and 0 artifacts (0 bytes) are gone",
  );
  const trial = await document(home, ["runs", "prune", "--older-than", "0m", "--dry-run"]);
  expect(trial.json).toMatchObject({ deleted: ["RUN"], dry_run: true });
  expect(await said(home, ["runs", "prune", "--older-than", "0s"])).toBe(
    "exit 0\ndeleted RUN\n1 run and 0 artifacts (0 bytes) are gone",
  );
  expect(await said(home, ["runs", "delete", "--thread", "t"])).toBe(
    "exit 0\ndeleted RUN\ndeleted RUN",
  );
  expect(await said(home, ["runs"])).toBe("exit 0\nno runs");
});

test.each([
  [["runs", "delete"], "M7103"],
  [["runs", "delete", "last", "--thread", "t"], "M7103"],
  [["runs", "delete", "nobody"], "M5107"],
  [["runs", "prune", "--older-than", "long"], "M7104"],
  [["runs", "prune", "--keep", "some"], "M7104"],
  [["runs", "remove"], "M7103"],
  [["runs", "--keep", "1"], "M7103"],
])("a wrong call of %j is %s", async (words, code) => {
  expect(await said(workspace(), words)).toContain(`error[${code}]`);
});

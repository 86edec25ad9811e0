/** Cells of Python beside the others, with tables that go both ways. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test as baseTest, expect, onTestFinished, vi } from "vitest";
import { lookForPython } from "../../../../kernel/lab/find-python.ts";
import { projectRoot, temporaryFolder } from "../../../support/child.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

const DRIVER = join(projectRoot, "kernel", "cells", "python", "driver.py");

useTypes();

const test = baseTest.skipIf((await lookForPython()) === undefined);

test("names live on from cell to cell, the last expression is shown, what is printed comes in its cell", async () => {
  const { run } = openTestNotebook();
  const shown = await run(
    "%%python\nimport math\nradius = 2\nprint('in')\nround(math.pi * radius**2)",
  );
  // The end of the line may be a piece of its own.
  expect(shown.replace("\nstdout ", "")).toBe("stdout in\nresult 13");
  expect(await run("%%python\nradius + 1")).toBe("result 3");
  expect(
    await run(
      "%%python\nclass Bold:\n  def _repr_html_(self): return '<b>x</b>'\n  def __repr__(self): return 'x'\nBold()",
    ),
  ).toBe("result [text/html] x");
  expect(await run("%%python\nimport sys\nsys.stdin.read()")).toBe("result ''");
});

test("an error is told with its line in the cell, and the process lives on", async () => {
  const { run } = openTestNotebook();
  await run("%%python\nx = 1");
  const shown = await run("%%python\ndef half(n):\n  return n / 0\nhalf(x)");
  expect(shown).toContain("error ZeroDivisionError: division by zero");
  expect(shown).toContain('File "Cell[2]", line 4');
  expect(shown).toContain("return n / 0");
  expect(shown).not.toContain("driver.py");
  expect(await run("%%python\nif x\n  pass")).toContain("SyntaxError");
  expect(await run("%%python\nx")).toBe("result 1");
});

test("arrays and rows of cells are tables there, and `--save` brings one back with its types", async () => {
  const { run } = openTestNotebook();
  await run('const people = [{ name: "Ada", born: 1815 }, { name: "Grace", born: 1906 }];');
  await run("%%sql --save later\nSELECT name, born + 100 AS then FROM people");
  const code = `%%python --save old
rows = people if isinstance(people, list) else people.to_dict("records") if hasattr(people, "to_dict") else people.to_pylist()
assert len(later) == 2
old = [row for row in rows if row["born"] < 1900]
len(old)`;
  expect(await run(code)).toBe("result 1");
  expect(await run("old[0]?.name.toUpperCase()")).toBe("result 'ADA'");
  expect(await run("old[0]?.nme")).toContain("TS");
  expect(await run("%%sql\nSELECT name FROM old")).toContain("Ada");
  expect(await run("%%python --save gone\n1")).toContain("name 'gone' is not defined");
  expect(await run("%%python --save five\nfive = 5")).toContain(
    "TypeError: --save takes a table or a list of dicts, and no int like this",
  );
  expect(await run("%%python --sav x\n1")).toContain("did you mean `--save`");
});

test("the stop button interrupts it, and a process that ends is told and started anew", async () => {
  const notebook = openTestNotebook();
  await notebook.run("%%python\nkept = 7");
  const running = notebook.run("%%python\nimport time\nprint('waits')\ntime.sleep(600)");
  await notebook.saw("waits");
  notebook.cancel();
  expect(await running).toContain("M7501");
  expect(await notebook.run("%%python\nkept")).toBe("result 7");
  expect(await notebook.run("%%python\nimport os\nos._exit(3)")).toContain("M7851");
  expect(await notebook.run("%%python\n1 + 1")).toBe("result 2");
});

test("tables have all of their rows on both ways, however many", async () => {
  const { run } = openTestNotebook();
  await run("const many = Array.from({ length: 100_001 }, (_, at) => ({ at }));");
  const code = "%%python --save some\nsome = [{'at': at} for at in range(10_001)]\nlen(many)";
  // A slow query shows its progress before.
  expect(await run(code)).toMatch(/result 100001$/);
  expect(await run("some.length")).toBe("result 10001");
});

test("the process ends with its kernel, also when that is killed while a cell runs", async () => {
  const python = await lookForPython();
  const code = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)";
  const request = JSON.stringify({ cell: "Cell[1]", code, tables: {}, folder: "/none" });
  const kernel = `const { spawn } = require("node:child_process");
const stdio = ["pipe", "inherit", "inherit", 1];
const [program, driver, request] = process.argv.slice(1);
spawn(program, [driver], { stdio, detached: true }).stdin.write(request + "\\n");`;
  const child = spawn(process.execPath, ["-e", kernel, String(python?.path), DRIVER, request]);
  const closed = once(child, "close");
  const [pid] = await once(child.stdout, "data");
  onTestFinished(() => {
    if (child.stdout.readable) process.kill(Number(String(pid)), "SIGKILL");
  });
  child.kill("SIGKILL");
  // Its output is closed only once the process of Python is gone, too.
  await closed;
});

test("no folder of tables is left, also of kernels that were killed", async () => {
  const parent = temporaryFolder();
  vi.stubEnv("TMPDIR", parent);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(parent, `madrigal-python-${spawnSync("true").pid}-aaaaaa`));
  const { run } = openTestNotebook();
  expect(await run("%%python\n1")).toBe("result 1");
  expect(readdirSync(parent).filter((name) => name.startsWith("madrigal-python-"))).toEqual([]);
});

/** Cells of Python beside the others, with tables that go both ways. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as baseTest, expect, onTestFinished, vi } from "vitest";
import type { Cell } from "../../../../kernel/cells/cell.ts";
import { runInPython } from "../../../../kernel/cells/python/python-process.ts";
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
  // Without one of the libraries a note says what is missing.
  expect(await run(code)).toMatch(/(?:^|\n)result 1$/);
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

test("cells of two subshells share the names of one process", async () => {
  const notebook = openTestNotebook();
  const path = join(temporaryFolder(), "go");
  const held = `import os\nshared = 1\nprint("held")\nwhile not os.path.exists(${JSON.stringify(path)}): pass\nprint("over")`;
  const first = notebook.reply(`%%python\n${held}`);
  await notebook.saw("held");
  const second = notebook.run("%%python\nprint('next')\nshared + 1");
  writeFileSync(path, "");
  expect((await first).status).toBe("ok");
  expect(await second).toMatch(/next\n[\s\S]*result 2$/);
});

test("a cell that waits for its turn can be stopped, and the one that runs goes on", async () => {
  const cell = () => {
    const stop = new AbortController();
    const written: string[] = [];
    const stopped = new Promise<never>((_, reject) =>
      stop.signal.addEventListener("abort", () => reject(stop.signal.reason)),
    );
    stopped.catch(() => {});
    const made = {
      signal: stop.signal,
      write: (_: string, chunk: Uint8Array) => written.push(String(chunk)),
      orCancelled: <T>(work: PromiseLike<T>) => Promise.race([work, stopped]),
    };
    return { cell: made as unknown as Cell, stop, written };
  };
  const request = (code: string) => ({ cell: "Cell[1]", code, tables: {}, folder: "/none" });
  const [runs, waits, next] = [cell(), cell(), cell()];
  const path = join(temporaryFolder(), "go");
  const one = runInPython(
    request(
      `import os\nprint('held')\nwhile not os.path.exists(${JSON.stringify(path)}): pass\n'one'`,
    ),
    runs.cell,
  );
  const two = runInPython(request("print('never')"), waits.cell);
  const three = runInPython(request("print('three')"), next.cell);
  await vi.waitFor(() => expect(runs.written.join("")).toContain("held"), 60_000);
  waits.stop.abort(new Error("stopped"));
  await expect(two).rejects.toThrow("stopped");
  writeFileSync(path, "");
  expect(await one).toEqual({ data: { "text/plain": "'one'" } });
  await three;
  expect([runs, waits, next].map(({ written }) => written.join(""))).toEqual([
    "held\n",
    "",
    "three\n",
  ]);
});

test("a cell may close or redirect its streams, and a mark in pieces is none of its output", async () => {
  const { run } = openTestNotebook();
  await run("%%python\nimport os, sys\nsys.stdout.close()\n1");
  await run("%%python\nsys.stdout = os.fdopen(os.dup(1), 'w')");
  expect(await run("%%python\nos.write(1, b'a\\0b\\0'); None")).toBe("stdout a\0b\0");
  await run("%%python\nos._exit(0)");
});

test("`%env` and `%cd` hold in the process that runs already, and modules of its folder are found", async () => {
  const { run } = openTestNotebook();
  const [before, folder] = [process.cwd(), temporaryFolder()];
  writeFileSync(join(folder, "beside_me.py"), "word = 'found'");
  onTestFinished(() => {
    process.chdir(before);
    delete process.env.SONG_OF_THE_DAY;
  });
  await run("%%python\nimport os");
  await run("%env SONG_OF_THE_DAY=madrigal");
  await run(`%cd ${folder}`);
  expect(
    await run("%%python\nimport beside_me\nos.environ['SONG_OF_THE_DAY'], beside_me.word"),
  ).toBe("result ('madrigal', 'found')");
  expect(await run("%%python\nimport driver")).toContain("ModuleNotFoundError");
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
  const request = JSON.stringify({ cell: "Cell[1]", code, tables: {}, folder: "/none", mark: "" });
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

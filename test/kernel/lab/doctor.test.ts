/** `madrigal doctor`: what is looked at, and what is said of it. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { document, put, said, workspace } from "../calling.ts";

// Real kernels and servers on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

interface Findings {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly part: string;
    readonly health: string;
    readonly found: string;
    readonly hint?: string;
  }[];
}

async function examined(home: string) {
  const env = { JUPYTER_DATA_DIR: join(home, "data") };
  const { exit, json } = await document(home, ["doctor"], { env });
  const { ok, findings } = json as unknown as Findings;
  const of = (part: string) => findings.find((finding) => finding.part === part);
  return { exit, ok, parts: findings.map(({ part }) => part), of };
}

test("contract: doctor exits 0 once the kernel is installed and 4 before", async () => {
  const home = workspace();
  const before = await examined(home);
  expect({ exit: before.exit, ok: before.ok }).toEqual({ exit: 4, ok: false });
  expect(before.of("kernelspec")).toMatchObject({ health: "wrong", hint: "run: madrigal install" });
  await said(home, ["install"], { env: { JUPYTER_DATA_DIR: join(home, "data") } });
  const after = await examined(home);
  expect({ exit: after.exit, ok: after.ok }).toEqual({ exit: 0, ok: true });
  expect(after.parts).toMatchInlineSnapshot(`
    [
      "Node",
      "zeromq",
      "@duckdb/node-api",
      "typescript-6",
      "workspace",
      "kernel",
      "kernelspec",
      "extension",
      "Python",
      "JupyterLab",
    ]
  `);
  expect(after.of("extension")).toMatchObject({ health: "ok" });
  expect(after.of("kernel")?.found).toMatch(/^starts and answers in /);
});

test("a kernelspec of a clone that was moved is told", async () => {
  const home = workspace();
  const argv = [process.execPath, join(home, "moved/kernel/madrigal.js"), "kernel", "{file}"];
  put(home, "data/kernels/madrigal/kernel.json", JSON.stringify({ argv }));
  const { exit, of } = await examined(home);
  expect(exit).toBe(4);
  expect(of("kernelspec")).toMatchObject({
    health: "wrong",
    found: expect.stringContaining("starts a Madrigal that is gone: HOME/moved/kernel/madrigal.js"),
  });
});

test("each line is ok, or says what is wrong and how to mend it", async () => {
  const home = workspace();
  const text = await said(home, ["doctor"], { env: { JUPYTER_DATA_DIR: join(home, "data") } });
  const lines = text.split("\n");
  expect(lines.filter((line) => line.startsWith("wrong"))).toEqual([
    "wrong kernelspec: there is none at HOME/data/kernels/madrigal",
  ]);
  expect(lines).toContain("      hint: run: madrigal install");
  expect(lines.at(-1)).toMatch(/^! error\[M7740\]/);
});

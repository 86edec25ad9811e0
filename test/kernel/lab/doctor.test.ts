/** `madrigal doctor`: what is looked at, and what is said of it. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { document, put, said, workspace } from "../cli/calling.ts";

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

async function examined(home: string, more: Readonly<Record<string, string>> = {}) {
  const env = {
    JUPYTER_DATA_DIR: join(home, "data"),
    MADRIGAL_CACHE: join(home, "cache"),
    ...more,
  };
  const { exit, json } = await document(home, ["doctor"], { env });
  const { ok, findings } = json as unknown as Findings;
  const of = (part: string) => findings.find((finding) => finding.part === part);
  return { exit, ok, parts: findings.map(({ part }) => part), of };
}

test("contract: doctor exits 0 where Madrigal works, whether or not its kernel is installed", async () => {
  const home = workspace();
  const before = await examined(home);
  expect({ exit: before.exit, ok: before.ok }).toEqual({ exit: 0, ok: true });
  expect(before.of("kernelspec")).toMatchObject({
    health: "note",
    hint: "only for a JupyterLab or VS Code of your own: run: madrigal install",
  });
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
      "local models",
      "browser tools",
      "documents",
      "bubblewrap",
      "claude_code",
      "codex",
      "openclaw",
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

test("each line is ok, or says what is wrong or optional, and what to do about it", async () => {
  const home = workspace();
  const env = { JUPYTER_DATA_DIR: join(home, "data") };
  const well = (await said(home, ["doctor"], { env })).split("\n");
  expect(well[0]).toBe("exit 0");
  expect(well).toContain("note  kernelspec: there is none at HOME/data/kernels/madrigal");
  expect(well).toContain(
    "      hint: only for a JupyterLab or VS Code of your own: run: madrigal install",
  );
  expect(well.at(-1)).toBe("Madrigal works. Each `note` is about something optional.");
  put(home, "data/kernels/madrigal/kernel.json", "{");
  const broken = (await said(home, ["doctor"], { env })).split("\n");
  expect(broken[0]).toBe("exit 4");
  expect(broken.filter((line) => line.startsWith("wrong"))).toEqual([
    "wrong kernelspec: HOME/data/kernels/madrigal is damaged: its kernel.json is no JSON",
  ]);
  expect(broken.at(-1)).toMatch(/^! error\[M7740\]/);
});

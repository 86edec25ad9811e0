/** The process of a kernel, with a shell in its place. */
import { readdirSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { KernelProcess } from "../../../kernel/notebook/execution/kernel-process.ts";
import { temporaryFolder } from "../../support/child.ts";

const spec = { argv: ["sh", "-c", "kill -STOP $$", "{connection_file}"], env: {} };

/** Where connection files are made, and what lies there. */
function temporary(): { readonly cwd: string; readonly files: () => readonly string[] } {
  const cwd = temporaryFolder();
  vi.stubEnv("TMPDIR", cwd);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { cwd, files: () => readdirSync(cwd) };
}

test("killing a kernel removes its connection file before it returns", async () => {
  const { cwd, files } = temporary();
  const kernel = await KernelProcess.start({ spec, cwd });
  expect(files()).toEqual([expect.stringMatching(/^madrigal-kernel-/)]);
  kernel.kill();
  expect(files()).toEqual([]);
  await kernel.ended;
});

test("a kernel that starts is killed by the signal, and leaves nothing", async () => {
  const { cwd, files } = temporary();
  const kill = new AbortController();
  const kernel = await KernelProcess.start({ spec, cwd, kill: kill.signal });
  expect(files()).toHaveLength(1);
  kill.abort();
  expect(files()).toEqual([]);
  expect(await kernel.ended).toBe("signal SIGKILL");
});

/** No process of the native compiler outlives the thread that started it, and none of its folders. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { startTypes } from "../../../../kernel/types/client.ts";
import { Notebook } from "../notebook.ts";

const LIMIT = { timeout: 20_000 };

/** The folders of native compilers whose process this one has started, each with the process. */
function running(): readonly { readonly pid: string; readonly folder: string }[] {
  const threads = readdirSync("/proc/self/task");
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
  );
  return children.flatMap((pid) => {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const folder = words.find((word) => word.startsWith(join(tmpdir(), "madrigal-types-")));
    return folder === undefined ? [] : [{ pid, folder }];
  });
}

test.skipIf(process.platform !== "linux")("when the service is closed", async () => {
  const types = startTypes();
  await new Notebook(types).run("1");
  const [started] = running();
  expect(started?.folder).toSatisfy(existsSync);
  await types.close();
  await vi.waitFor(() => expect(running()).toEqual([]), LIMIT);
  expect(started?.folder).not.toSatisfy(existsSync);
});

test.skipIf(process.platform !== "linux")("when its thread dies", async () => {
  const workers: Worker[] = [];
  const types = startTypes({ started: (worker) => workers.push(worker) });
  await new Notebook(types).run("1");
  const [started] = running();
  await workers[0]?.terminate();
  await vi.waitFor(() => expect(running()).toEqual([]), LIMIT);
  expect(started?.folder).not.toSatisfy(existsSync);
  await types.close();
});

/** What only reads stored runs needs no right, and no room, to write beside them. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { canMount } from "../../../runtime/store/start-child.ts";
import { projectNode, projectRoot } from "../../../support/child.ts";
import { said, workspace } from "../calling.ts";

vi.setConfig({ testTimeout: 180_000 });

const program = `import { shout } from "./shout.ts"
graph Shout(word: string) returns loud {
  state { loud: string }
  run aloud = shout(word) writes loud
  start -> aloud -> end
}
`;

/** A workspace with one run, and how a report on it can be written elsewhere. */
async function withRun() {
  const files = {
    "shout.madrigal": program,
    "shout.ts": "export const shout = (text: string): string => text.toUpperCase();\n",
  };
  const home = workspace(files);
  const input = '{"word": "hey"}';
  expect(await said(home, ["run", "shout.madrigal", "--input", input])).toMatch(/^exit 0\n/);
  const elsewhere = workspace();
  chmodSync(elsewhere, 0o777);
  return { home, input, page: join(elsewhere, "report.html") };
}

/** Root may write anywhere. */
const nobody = process.getuid?.() === 0 ? { uid: 65534 } : {};

function close(folder: string, isClosed: boolean): void {
  const [folders, files] = isClosed ? [0o555, 0o444] : [0o755, 0o644];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? folders : files);
  chmodSync(folder, folders);
}

test("runs, show and report read a workspace that can't be written; a run there is M5101", async () => {
  const { home, input, page } = await withRun();
  close(home, true);
  onTestFinished(() => close(home, false));
  const call = (...words: readonly string[]) => said(home, words, nobody);
  expect(await call("runs")).toMatch(/^exit 0\nrun .*\n\S+ {2}Shout {2}succeeded/);
  expect(await call("show", "last")).toMatch(/^exit 0\n.*loud:\nHEY/s);
  expect(await call("report", "last", "--out", page)).toMatch(/^exit 0\nreport: /);
  expect(existsSync(page)).toBe(true);
  expect(await call("run", "shout.madrigal", "--input", input)).toMatch(
    /^exit 1\n! error\[M5101\]/,
  );
});

test.runIf(canMount())("on a full disk they read too", async () => {
  const { home, page } = await withRun();
  const disk = join(workspace(), "disk");
  mkdirSync(disk);
  const command = `mount -t tmpfs -o size=4m tmpfs "$1" && cp -a "$2/." "$1" || exit 99
    cat /dev/zero > "$1/ballast" 2>/dev/null; shift 2; cd "$HOME"; exec "$@"`;
  const call = (...words: readonly string[]) => {
    const madrigal = [projectNode, join(projectRoot, "kernel/madrigal.js"), ...words];
    const { status, stdout } = spawnSync(
      "unshare",
      ["-rm", "sh", "-c", command, "sh", disk, home, ...madrigal],
      { encoding: "utf8", env: { PATH: process.env.PATH, HOME: disk, MADRIGAL_HOME: disk } },
    );
    return `exit ${status}\n${stdout}`;
  };
  expect(call("runs")).toMatch(/^exit 0\nrun .*\n\S+ {2}Shout {2}succeeded/);
  expect(call("show", "last")).toMatch(/^exit 0\n.*loud:\nHEY/s);
  expect(call("report", "last", "--out", page)).toMatch(/^exit 0\nreport: /);
});

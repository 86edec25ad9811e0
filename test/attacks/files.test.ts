/** Paths and links by which tools for files would leave their root, or reach what is secret. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileTools } from "../../runtime/index.ts";
import { temporaryFolder } from "../support/child.ts";
import { holdCaseCount } from "./attack-table.ts";

type Call = (input: object, context: object) => Promise<unknown>;

/** A root with a secret beside it and links to that within it. */
function prepared() {
  const above = temporaryFolder();
  const root = join(above, "root");
  mkdirSync(join(root, "sub"), { recursive: true });
  mkdirSync(join(above, "outside"));
  writeFileSync(join(above, "outside/secret.txt"), "secret");
  writeFileSync(join(root, "sub/plain.txt"), "plain");
  for (const name of [".ssh", ".aws", ".config/gcloud"]) {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, "config"), "secret");
  }
  for (const name of [".npmrc", ".netrc", ".env", ".bash_history", "id_rsa", "server.pem"])
    writeFileSync(join(root, name), "secret");
  symlinkSync(join(above, "outside/secret.txt"), join(root, "link.txt"));
  symlinkSync("../outside", join(root, "folder"));
  symlinkSync("folder/secret.txt", join(root, "chain.txt"));
  symlinkSync("/proc/self", join(root, "process"));
  symlinkSync("/dev/zero", join(root, "zero"));
  symlinkSync("loop", join(root, "loop"));
  symlinkSync("missing-outside", join(root, "dangling.txt"));
  spawnSync("mkfifo", [join(root, "pipe")]);
  const tools = createFileTools({ root });
  const context = {
    signal: new AbortController().signal,
    artifact: async () => ({ id: "1" }),
  };
  const call = (name: keyof typeof tools, input: object) =>
    (tools[name] as unknown as Call)(input, context);
  return { above, root, call };
}

const PATHS = [
  ["upwards", "../outside/secret.txt"],
  ["upwards behind a folder", "sub/../../outside/secret.txt"],
  ["a whole path", "/etc/passwd"],
  ["the home", "~/.ssh/config"],
  ["a link to a file", "link.txt"],
  ["a link to a folder", "folder/secret.txt"],
  ["a link to a link", "chain.txt"],
  ["a link to itself", "loop"],
  ["a link to nothing", "dangling.txt"],
  ["a process", "process/environ"],
  ["the root of a process", "process/root/etc/passwd"],
  ["a device", "zero"],
  ["a pipe that nobody writes", "pipe"],
  ["a folder", "sub"],
  ["a zero character", "sub/plain.txt\0.md"],
  ["keys", ".ssh/config"],
  ["keys in capitals", ".SSH/config"],
  ["keys in wide letters", ".ｓｓｈ/config"],
  ["keys with dots before", "./sub/.././.ssh/config"],
  ["a cloud's keys", ".aws/config"],
  ["another cloud's keys", ".config/gcloud/config"],
  ["a token", ".npmrc"],
  ["passwords", ".netrc"],
  ["an environment", ".env"],
  ["a history", ".bash_history"],
  ["a private key", "id_rsa"],
  ["a certificate's key", "server.pem"],
] as const;

test.each(PATHS)("reading, %s: %j", async (_, path) => {
  const { call } = prepared();
  await expect(call("read", { path })).rejects.toMatchObject({ code: "M8320" });
});

test.each(PATHS)("writing, %s: %j", async (_, path) => {
  const { call, above, root } = prepared();
  await expect(call("write", { path, text: "mine" })).rejects.toMatchObject({ code: "M8320" });
  await expect(call("append", { path, text: "mine" })).rejects.toMatchObject({ code: "M8320" });
  await expect(call("move", { from: "sub/plain.txt", to: path })).rejects.toThrow();
  await expect(call("delete", { path })).rejects.toThrow();
  expect(readFileSync(join(above, "outside/secret.txt"), "utf8")).toBe("secret");
  expect(readFileSync(join(root, "sub/plain.txt"), "utf8")).toBe("plain");
  expect(existsSync(join(root, "missing-outside"))).toBe(false);
});

test("what is searched and listed leads out of the root nowhere, and shows no secrets", async () => {
  const { call } = prepared();
  expect(await call("grep", { text: "secret" })).toEqual({ found: [], isCut: false });
  expect(await call("glob", { pattern: "**" })).toEqual({
    found: ["sub/plain.txt"],
    isCut: false,
  });
  await expect(call("list", { path: "folder" })).rejects.toMatchObject({ code: "M8320" });
  expect(JSON.stringify(await call("list", { path: "" }))).not.toMatch(/ssh|npmrc|history|pem/);
});

test("writing a file that is linked to one outside leaves that as it is", async () => {
  const { call, above, root } = prepared();
  linkSync(join(above, "outside/secret.txt"), join(root, "hard.txt"));
  await call("write", { path: "hard.txt", text: "mine" });
  expect(readFileSync(join(above, "outside/secret.txt"), "utf8")).toBe("secret");
});

test("a folder that becomes a link meanwhile leads nowhere", async () => {
  const { call, above, root } = prepared();
  const folder = join(root, "turns");
  mkdirSync(folder);
  let isOver = false;
  const turning = (async () => {
    for (; !isOver; await new Promise((resolve) => setImmediate(resolve))) {
      renameSync(folder, join(above, "aside"));
      // A write may have made the folder anew by now.
      rmSync(folder, { recursive: true, force: true });
      try {
        symlinkSync(join(above, "outside"), folder);
      } catch {
        // A write was faster and has made the folder.
      }
      await new Promise((resolve) => setImmediate(resolve));
      rmSync(folder, { recursive: true, force: true });
      if (!existsSync(folder)) renameSync(join(above, "aside"), folder);
      else rmSync(join(above, "aside"), { recursive: true });
    }
  })();
  const read: unknown[] = [];
  for (let at = 0; at < 300; at += 1) {
    await call("read", { path: "turns/secret.txt" }).then(
      (one) => read.push(one),
      () => {},
    );
    await call("write", { path: "turns/mine.txt", text: "mine" }).catch(() => {});
  }
  isOver = true;
  await turning;
  expect(read).toEqual([]);
  expect(readdirSync(join(above, "outside"))).toEqual(["secret.txt"]);
});

test("no file descriptor stays open", async () => {
  const { call } = prepared();
  const open = () => readdirSync("/proc/self/fd").length;
  await call("read", { path: "sub/plain.txt" });
  const before = open();
  for (let at = 0; at < 50; at += 1) {
    await call("read", { path: "sub/plain.txt" });
    await call("read", { path: "folder/secret.txt" }).catch(() => {});
    await call("write", { path: "link.txt", text: "x" }).catch(() => {});
    await call("glob", { pattern: "**" });
  }
  expect(open()).toBeLessThanOrEqual(before + 2);
});

holdCaseCount();

/** kernel/prepare.js in a project made for it, with a stand-in for npm that notes its calls. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { projectNode, projectRoot, startNode, temporaryFolder } from "../../support/child.ts";

const lock = (version: string) =>
  JSON.stringify({ packages: { "": {}, "node_modules/a": { version } } });

/** A project whose lockfile wants version 2 of package a; `installed` is what stands in node_modules. */
function project(installed: { readonly a?: string; readonly node?: boolean }) {
  const root = temporaryFolder();
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const link = () => {
    mkdirSync(join(root, "node_modules/node/bin"), { recursive: true });
    symlinkSync(projectNode, join(root, "node_modules/node/bin/node"));
  };
  for (const file of ["prepare.js", "startup/end-with-launcher.js", "startup/parent-watch.js"])
    cpSync(join(projectRoot, "kernel", file), join(root, "kernel", file), { recursive: true });
  put("package.json", '{ "type": "module" }');
  put("package-lock.json", lock("2.0.0"));
  put("script.js", "console.log('ran on', process.versions.node.split('.')[0]); process.exit(7);");
  if (installed.a !== undefined) put("node_modules/.package-lock.json", lock(installed.a));
  if (installed.node === true) link();
  return { root, put };
}

/** What `npm` does here: notes how it was called, then installs, or fails. */
const npm = (
  does: string,
) => `import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
appendFileSync("npm-calls", process.argv.slice(2).join(" ") + "\\n");
${does}`;

const installs = `mkdirSync("node_modules/node/bin", { recursive: true });
writeFileSync("node_modules/.package-lock.json", ${JSON.stringify(lock("2.0.0"))});
if (!existsSync("node_modules/node/bin/node")) symlinkSync(${JSON.stringify(projectNode)}, "node_modules/node/bin/node");`;

function prepare({ root, put }: ReturnType<typeof project>, does: string) {
  put("npm.js", npm(does));
  const { status, stdout, stderr } = spawnSync(
    projectNode,
    [join(root, "kernel/prepare.js"), "script.js"],
    { encoding: "utf8", env: { PATH: process.env.PATH, npm_execpath: join(root, "npm.js") } },
  );
  const calls = existsSync(join(root, "npm-calls"))
    ? readFileSync(join(root, "npm-calls"), "utf8").trim()
    : "none";
  return { status, stdout: stdout.trim(), stderr: stderr.trim(), calls };
}

const installed = "install --no-save --no-audit --no-fund --loglevel=error";

test("what is up to date is not touched, and the script's exit code is passed on", () => {
  expect(prepare(project({ a: "2.0.0", node: true }), installs)).toEqual({
    status: 7,
    stdout: "ran on 24",
    stderr: "",
    calls: "none",
  });
});

test.each([
  ["nothing is installed", {}, /nothing is installed yet/],
  ["another version is installed", { a: "1.0.0", node: true }, /a 2\.0\.0 is not installed/],
  ["only the folder node_modules is there", { node: true }, /nothing is installed yet/],
  ["the project's Node has no binary", { a: "2.0.0" }, /own Node 24 does not answer/],
] as const)("when %s, it installs, says why, and goes on", (_, had, why) => {
  const { status, stdout, stderr, calls } = prepare(project(had), installs);
  expect({ status, stdout, calls }).toEqual({ status: 7, stdout: "ran on 24", calls: installed });
  expect(stderr).toMatch(why);
});

test("killed, it leaves nothing behind: the script ends as by SIGTERM", async () => {
  const { root, put } = project({ a: "2.0.0", node: true });
  put(
    "script.js",
    `process.on("SIGTERM", () => { console.log("ended in order"); process.exit(); });
    setInterval(() => {}, 1000);
    console.log("began");`,
  );
  const launcher = startNode([join(root, "kernel/prepare.js"), "script.js"], { home: root });
  await launcher.said("began");
  launcher.signal("SIGKILL");
  // What it started has its stdout.
  expect(await launcher.ended).toMatchObject({
    signal: "SIGKILL",
    stdout: "began\nended in order\n",
  });
});

test.each([
  ["an installation that fails", "process.exit(3);", /npm install ended with 3/],
  ["one that brings too little", "", /after npm install, nothing is installed yet/],
])("%s is M7002, exit 4", (_, does, message) => {
  const { status, stdout, stderr } = prepare(project({}), does);
  expect({ status, stdout }).toEqual({ status: 4, stdout: "" });
  expect(stderr).toMatch(/error\[M7002\]: /);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/hint: /);
});

#!/usr/bin/env node
/**
 * Starts the command `madrigal`. It is plain JavaScript and never moves: kernelspecs and package managers point here. On a
 * Node that can't run TypeScript it starts itself again with the Node that was installed beside it.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MIN = [22, 18];
const self = fileURLToPath(import.meta.url);

if (runsTypeScript()) {
  const { keepCompiled } = await import("./startup/keep-compiled.js");
  keepCompiled();
  hideSqliteWarning();
  const { main } = await import("./cli/main.ts");
  await main(process.argv.slice(2));
} else {
  startAgain(localNode());
}

function runsTypeScript() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
}

/** Node 22 warns whoever runs us that its module `node:sqlite` may change. */
function hideSqliteWarning() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...more) => {
    if (!String(warning).startsWith("SQLite is an experimental feature"))
      emitWarning.call(process, warning, ...more);
  };
}

/** The package's own Node; as a dependency, the one that was installed beside the package. */
function localNode() {
  const root = dirname(dirname(self));
  const places = [join(root, "node_modules"), dirname(root)];
  return places.map((folder) => join(folder, ".bin", "node")).find((path) => existsSync(path));
}

function startAgain(node) {
  if (node === undefined) {
    fail("and no newer one is installed beside Madrigal");
    return;
  }
  // An older Node's options may be unknown to the newer one.
  const watched = ["--import", new URL("startup/end-with-launcher.js", import.meta.url).href, self];
  const child = spawn(node, [...watched, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal sends it to the child too; the child takes two at once for one.
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => fail(`and ${node} can't be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

function fail(why) {
  process.stderr.write(
    `error[M7001]: Node ${process.versions.node} can't run Madrigal, which needs ${NODE_MIN.join(".")} or newer, ${why}\n` +
      `  hint: run \`npm install\` in ${dirname(dirname(self))}, or put a newer Node on the PATH\n`,
  );
  process.exitCode = 4;
}

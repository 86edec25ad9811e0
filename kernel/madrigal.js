#!/usr/bin/env node
/**
 * Starts the command `madrigal`. It is plain JavaScript and never moves: kernelspecs and package managers point here. On a
 * Node that can't run TypeScript it starts itself again with the Node that was installed beside it. It imports nothing by a
 * statement: each module of Node that is imported so is loaded whole, which `--version` does not wait for.
 */
const NODE_MIN = [22, 18];

if (runsTypeScript()) {
  const { keepCompiled } = await import("./startup/keep-compiled.js");
  keepCompiled();
  const { hideSqliteWarning } = await import("./startup/hide-sqlite-warning.js");
  hideSqliteWarning();
  const { main } = await import("./cli/main.ts");
  await main(process.argv.slice(2));
} else {
  const { startAgain } = await import("./startup/start-again.js");
  startAgain(NODE_MIN);
}

function runsTypeScript() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
}

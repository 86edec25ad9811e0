/** Starts the command again with the Node that was installed beside it, for a Node that can't run TypeScript. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const kernel = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(kernel);

/** `nodeMin` is the oldest Node that can run Madrigal, as major and minor version. */
export function startAgain(nodeMin) {
  const fail = (why) => {
    process.stderr.write(
      `error[M7001]: Node ${process.versions.node} can't run Madrigal, which needs ${nodeMin.join(".")} or newer, ${why}\n` +
        `  hint: run \`npm install\` in ${root}, or put a newer Node on the PATH\n`,
    );
    process.exitCode = 4;
  };
  const node = localNode();
  if (node === undefined) {
    fail("and no newer one is installed beside Madrigal");
    return;
  }
  // An older Node's options may be unknown to the newer one.
  const watched = ["--import", new URL("end-with-launcher.js", import.meta.url).href];
  const args = [...watched, join(kernel, "madrigal.js"), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal sends it to the child too; the child takes two at once for one.
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => fail(`and ${node} can't be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

/** The package's own Node; as a dependency, the one that was installed beside the package. */
function localNode() {
  const places = [join(root, "node_modules"), dirname(root)];
  return places.map((folder) => join(folder, ".bin", "node")).find((path) => existsSync(path));
}

/**
 * Brings node_modules up to the lockfile, then runs a script with the project's own Node:
 *    node kernel/prepare.js SCRIPT [ARG …].
 * It is plain JavaScript without dependencies: it runs on the machine's Node (20.19 or newer) before anything is installed.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const localNode = join(root, "node_modules", "node", "bin", "node");

const reason = whyStale();
if (reason !== undefined) install(reason);
run(process.argv.slice(2));

/** Returns the reason why the installed packages can't be used as they are; undefined if they can. */
function whyStale() {
  const wanted = readJson(join(root, "package-lock.json"));
  const installed = readJson(join(root, "node_modules", ".package-lock.json"));
  if (wanted === undefined)
    fail("package-lock.json is missing or damaged", "git checkout package-lock.json");
  if (installed === undefined) return "nothing is installed yet";
  for (const [path, entry] of Object.entries(wanted.packages)) {
    // The root is not among the installed; optional packages of other platforms are left out.
    if (path === "" || entry.optional || entry.devOptional) continue;
    if (installed.packages[path]?.version !== entry.version) {
      return `${path.replace("node_modules/", "")} ${entry.version ?? ""} is not installed`;
    }
  }
  // The version of the package says nothing about its binary: an install script brings that.
  const { stdout } = spawnSync(localNode, ["--version"], { encoding: "utf8" });
  const major = Number(/^v(\d+)/.exec(stdout ?? "")?.[1]);
  return major >= NODE_MAJOR ? undefined : `the project's own Node ${NODE_MAJOR} does not answer`;
}

function install(why) {
  process.stderr.write(`madrigal: ${why}; running npm install …\n`);
  const npm = process.env.npm_execpath;
  const [command, args] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  // Not `npm ci`: it refuses a lockfile without the optional packages of platforms that a registry does not carry.
  const { status, error } = spawnSync(
    command,
    [...args, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      stdio: ["ignore", 2, 2],
    },
  );
  if (error !== undefined)
    fail(`npm can't be started: ${error.message}`, "install npm 10 or newer");
  if (status !== 0)
    fail(
      `npm install ended with ${status}`,
      "see its messages above, and check that the package registry can be reached",
    );
  const left = whyStale();
  if (left !== undefined) {
    fail(
      `after npm install, ${left}`,
      "if your npm configuration has ignore-scripts, run: npm install --ignore-scripts=false",
    );
  }
}

function run(args) {
  const watched = [
    "--import",
    new URL("startup/end-with-launcher.js", import.meta.url).href,
    ...args,
  ];
  const child = spawn(localNode, watched, { cwd: root, stdio: "inherit" });
  // The child decides how to end, and we wait for it. From a terminal it gets Ctrl-C twice, which it takes for one.
  process.on("SIGINT", () => child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) =>
    fail(`${localNode} cannot be started: ${error.message}`, "npm install"),
  );
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function fail(message, hint) {
  process.stderr.write(`error[M7002]: ${message}\n  hint: ${hint}\n`);
  process.exit(4);
}

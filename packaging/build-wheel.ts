/**
 * Builds the wheel `madrigal-kernel` into `wheels/`, or the folder that its argument names: `pip install` of it brings the
 * kernel, its colours for JupyterLab, the command and Node. The wheel is for this platform, since it has native libraries.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ZipOptions, type Zippable, zipSync } from "fflate";
import { packageManifest } from "./package-manifest.ts";
import { installedFiles, platformTag } from "./wheel/installed-files.ts";
import { jupyterFiles } from "./wheel/jupyter-files.ts";
import { aboutFiles, wheelName } from "./wheel/metadata.ts";

const root = join(import.meta.dirname, "..");
const out = resolve(process.argv[2] ?? join(root, "wheels"));
const PACKAGE = "madrigal_kernel";
const NATIVE_COMPILER = /\/@typescript\/typescript-[^/]+\/lib\/tsc$/;
/** The number of Unix among the systems that a zip can come from. */
const UNIX = 3;

const stage = mkdtempSync(join(tmpdir(), "madrigal-wheel-"));
try {
  process.stdout.write(`${writeWheel(installPackage())}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** Installs the built package with the dependencies of the lockfile, which are those that the tests ran with. */
function installPackage(): string {
  cpSync(join(root, "package-lock.json"), join(stage, "package-lock.json"));
  writeFileSync(join(stage, "package.json"), JSON.stringify(packageManifest(root)));
  // No scripts: native libraries come built, and a wheel is made of what registries hold.
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", ["install", "--omit=dev", "--no-save", "--prefer-offline", ...quiet], stage);
  const modules = join(stage, "node_modules");
  run(process.execPath, [join(root, "packaging", "build.ts"), join(modules, "madrigal")], root);
  return modules;
}

function writeWheel(modules: string): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const installed = installedFiles(modules);
  const tag = platformTag(installed);
  const python = ["__init__.py", "__main__.py"].map(
    (name) =>
      [
        `${PACKAGE}/${name}`,
        readFileSync(join(root, "packaging", "wheel", PACKAGE, name)),
      ] as const,
  );
  const files = new Map<string, Uint8Array>([
    ...python,
    ...[...installed].map(([name, bytes]) => [`${PACKAGE}/node_modules/${name}`, bytes] as const),
    ...jupyterFiles(version),
  ]);
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const about = aboutFiles(files, { version, tag, readme });
  const path = join(out, wheelName(version, tag));
  mkdirSync(out, { recursive: true });
  // The earliest time that a zip can say: the same files are the same wheel.
  const mtime = new Date(1980, 0, 1);
  const zipped: Zippable = {};
  for (const [name, bytes] of [...files, ...about]) zipped[name] = [bytes, modeOf(name)];
  writeFileSync(path, zipSync(zipped, { mtime }));
  return path;
}

/** pip lets a regular file be executed that may be in the zip, where Unix keeps its mode in the upper half of the attributes. */
function modeOf(name: string): ZipOptions {
  return NATIVE_COMPILER.test(name) ? { os: UNIX, attrs: (0o100755 << 16) >>> 0 } : {};
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${command} ended with ${status ?? error}`);
}

/** Builds and packs the package, and installs the tarball into an empty folder, as a user of npm does. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { platformPackage } from "../../kernel/local-models/install-llama.ts";
import { models } from "../../runtime/index.ts";
import { projectNode, projectRoot } from "../support/child.ts";

export interface InstalledPackage {
  /** The project that has Madrigal as its only dependency. */
  readonly folder: string;
  readonly tarball: string;
  readonly tarballBytes: number;
}

export interface Ran {
  readonly code: number | null;
  readonly text: string;
}

/** Returns the project with the installed tarball; its name has what careless code trips over. */
export function installPackage(): InstalledPackage {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "madrigal-package-")));
  const folder = join(parent, "a project v1.0 ü");
  mkdirSync(folder);
  assertOk(run(projectNode, ["packaging/build.ts"], projectRoot));
  const packed = ["pack", join(projectRoot, "dist"), "--silent", "--pack-destination", parent];
  assertOk(run("npm", packed, projectRoot));
  const name = readdirSync(parent).find((entry) => entry.endsWith(".tgz")) ?? "";
  const tarball = join(parent, name);
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  npmInstall(folder, [tarball]);
  return { folder, tarball, tarballBytes: statSync(tarball).size };
}

/** Returns the folder of the programs `publint` and `attw`, installed by the lockfile of `checkers/`. */
export function installCheckers(beside: InstalledPackage): string {
  const folder = join(beside.folder, "..", "checkers");
  cpSync(join(import.meta.dirname, "checkers"), folder, { recursive: true });
  npmInstall(folder, []);
  return join(folder, "node_modules", ".bin");
}

/** Returns the program of an exact version of Node, installed from npm beside the project. */
export function installNode(version: string, beside: InstalledPackage): string {
  const folder = join(beside.folder, "..", `node-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  npmInstall(folder, ["--ignore-scripts=false", `node@${version}`]);
  return join(folder, "node_modules", "node", "bin", "node");
}

/** Installs node-llama-cpp into the project as chapter 19 says, for the processor alone. */
export function installLlama(beside: InstalledPackage): void {
  const packages = [models.LLAMA_PACKAGE, platformPackage()].map(
    (name) => `${name}@${models.LLAMA_VERSION}`,
  );
  npmInstall(beside.folder, ["--omit=optional", "--ignore-scripts", ...packages]);
}

function npmInstall(folder: string, args: readonly string[]): void {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  assertOk(run("npm", ["install", ...quiet, ...args], folder));
}

/** Runs a program to its end, with nothing of this process's environment but where programs and npm's packages are. */
export function run(
  command: string,
  args: readonly string[],
  folder: string,
  { HOME = "", PATH = "" } = process.env,
): Ran {
  const settings = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name));
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...Object.fromEntries(settings), PATH, HOME, MADRIGAL_HOME: folder },
  });
  if (error !== undefined) throw error;
  return { code: status, text: `${stdout}${stderr}` };
}

function assertOk({ code, text }: Ran): void {
  if (code !== 0) throw new Error(`ended with ${code}: ${text}`);
}

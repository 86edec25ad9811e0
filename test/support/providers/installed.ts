/** Installs packages that only tests need beside those of the project, whose documents the tests of `docs` ask about. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../child.ts";

const QUIET = [
  ...["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
];

/** Returns the folder of a package such as `@langchain/core@1.4.0`, installed once; throws what npm says. */
export function installedPackage(wanted: string): string {
  return join(folderWith([wanted]), "node_modules", nameOf(wanted));
}

/** Returns a folder in which these packages are installed beside each other. */
export function folderWith(wanted: readonly string[]): string {
  const place = wanted.join("+").replaceAll("/", "-");
  const folder = join(projectRoot, "node_modules", ".cache", "madrigal", place);
  const isThere = (one: string) =>
    existsSync(join(folder, "node_modules", nameOf(one), "package.json"));
  if (wanted.every(isThere)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { status, stderr } = spawnSync("npm", ["install", ...QUIET, ...wanted], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm could not install ${wanted.join(", ")}: ${stderr}`);
  return folder;
}

function nameOf(wanted: string): string {
  return wanted.slice(0, wanted.lastIndexOf("@"));
}

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
  const name = wanted.slice(0, wanted.lastIndexOf("@"));
  const folder = join(projectRoot, "node_modules", ".cache", "madrigal", wanted.replace("/", "-"));
  const found = join(folder, "node_modules", name);
  if (existsSync(join(found, "package.json"))) return found;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { status, stderr } = spawnSync("npm", ["install", ...QUIET, wanted], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm could not install ${wanted}: ${stderr}`);
  return found;
}

/** Programs of npm that tests start and that nothing depends on: each is installed once, at an exact version, into a cache. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../child.ts";

const PROGRAMS = {
  inspector: {
    packages: ["@modelcontextprotocol/inspector@2.12.0"],
    script: "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
  },
  codex: { packages: ["@openai/codex@0.169.0"], script: "@openai/codex/bin/codex.js" },
  restate: {
    packages: ["@restatedev/restate-server-linux-x64@1.7.12"],
    script: "@restatedev/restate-server-linux-x64/bin/restate-server",
  },
  "playwright-mcp": { packages: ["@playwright/mcp@0.0.83"], script: "@playwright/mcp/cli.js" },
} as const;

export type NpmProgram = keyof typeof PROGRAMS;

const CACHE = join(projectRoot, "node_modules", ".cache", "madrigal", "npm");

/** The absolute path of the program's script or binary, once `missing` has said nothing of it. */
export function npmScript(name: NpmProgram): string {
  return join(folderOf(name), "node_modules", PROGRAMS[name].script);
}

/** The packages of a program, as `NAME@VERSION`. */
export function npmPackages(name: NpmProgram): readonly string[] {
  return PROGRAMS[name].packages;
}

/** Installs what is not there yet, without scripts of packages; the reason where that does not work. */
export async function missingNpmProgram(name: NpmProgram): Promise<string | undefined> {
  if (existsSync(npmScript(name))) return undefined;
  mkdirSync(CACHE, { recursive: true });
  // Test files that install the same at once do not meet: the first one that is done leaves it in its place.
  const made = mkdtempSync(join(CACHE, "installing-"));
  try {
    await install(made, PROGRAMS[name].packages);
    renameSync(made, folderOf(name));
    return undefined;
  } catch (thrown) {
    if (existsSync(npmScript(name))) return undefined;
    return `npm installs no ${name}: ${thrown instanceof Error ? thrown.message : thrown}`;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function folderOf(name: NpmProgram): string {
  return join(CACHE, PROGRAMS[name].packages.join("+").replaceAll("/", "+"));
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { HOME = "", PATH = "" } = process.env;
  const settings = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name));
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  await promisify(execFile)("npm", ["install", ...quiet, ...packages], {
    cwd: folder,
    env: { ...Object.fromEntries(settings), PATH, HOME },
  });
}

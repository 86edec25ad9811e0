/** Installs node-llama-cpp for the processor of this platform: neither its CUDA nor its Vulkan packages. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { models } from "../../runtime/index.ts";
import { runProgram } from "../lab/run-program.ts";

/** The package with the compiled code of this platform; undefined where there is none. */
export function platformPackage(
  platform = process.platform,
  arch = process.arch,
): string | undefined {
  const name = PLATFORMS[`${platform} ${arch}`];
  return name === undefined ? undefined : `@node-llama-cpp/${name}`;
}

const PLATFORMS: Readonly<Record<string, string>> = {
  "linux x64": "linux-x64",
  "linux arm64": "linux-arm64",
  "linux arm": "linux-armv7l",
  "darwin arm64": "mac-arm64-metal",
  "darwin x64": "mac-x64",
  "win32 x64": "win-x64",
  "win32 arm64": "win-arm64",
};

/**
 * Installs the package into `folder`, which appears when it is whole. npm asks the registry that the user has configured,
 * and runs no scripts of packages. Throws with npm's last words.
 */
export async function installLlama(folder: string): Promise<void> {
  const compiled = platformPackage();
  if (compiled === undefined) {
    throw new Error(`node-llama-cpp has no compiled code for ${process.platform} ${process.arch}`);
  }
  const part = `${folder}.part`;
  mkdirSync(part, { recursive: true });
  // Without it npm would look for the project of a folder above.
  writeFileSync(join(part, "package.json"), '{ "private": true }\n');
  const version = models.LLAMA_VERSION;
  const packages = [`${models.LLAMA_PACKAGE}@${version}`, `${compiled}@${version}`];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, text } = await runProgram(
    [
      ...npm(),
      "install",
      "--prefix",
      part,
      "--omit=optional",
      "--ignore-scripts",
      ...quiet,
      ...packages,
    ],
    { cwd: part },
  );
  if (!ok) throw new Error(`npm install failed: ${lastLines(text)}`);
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  renameSync(part, folder);
}

function npm(): readonly string[] {
  const script = process.env.npm_execpath;
  if (script !== undefined) return [process.execPath, script];
  return process.platform === "win32" ? ["cmd", "/c", "npm"] : ["npm"];
}

function lastLines(text: string): string {
  const lines = text
    .trim()
    .split("\n")
    .filter((line) => !/complete log of this run|debug-0\.log/.test(line));
  return lines.slice(-4).join(" ").replace(/\s+/g, " ").trim();
}

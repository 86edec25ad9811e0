/** Installs LangChain beside the packages of the project, whose documents the tests of `docs` ask about, and loads it. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../child.ts";

const PACKAGE = "@langchain/core@1.4.0";

/** The part of `@langchain/core/tools` that tests use. */
interface LangChainTools {
  tool<T>(
    call: (input: T) => unknown,
    options: { readonly name: string; readonly description: string; readonly schema: unknown },
  ): object;
}

export async function loadLangChainTools(): Promise<LangChainTools> {
  const folder = join(projectRoot, "node_modules", ".cache", "madrigal", "langchain");
  const tools = join(folder, "node_modules", "@langchain", "core", "dist", "tools", "index.js");
  if (!existsSync(tools)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const quiet = [
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--loglevel=error",
    ];
    const { status, stderr } = spawnSync("npm", ["install", ...quiet, PACKAGE], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`npm could not install ${PACKAGE}: ${stderr}`);
  }
  return await import(pathToFileURL(tools).href);
}

/** Loads LangChain, which tests alone use. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installedPackage } from "./installed.ts";

/** The part of `@langchain/core/tools` that tests use. */
interface LangChainTools {
  tool<T>(
    call: (input: T) => unknown,
    options: { readonly name: string; readonly description: string; readonly schema: unknown },
  ): object;
}

export async function loadLangChainTools(): Promise<LangChainTools> {
  const folder = installedPackage("@langchain/core@1.4.0");
  return await import(pathToFileURL(join(folder, "dist", "tools", "index.js")).href);
}

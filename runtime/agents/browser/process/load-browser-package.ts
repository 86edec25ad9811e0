/** Loads the package that drives a browser. */
import { pathToFileURL } from "node:url";
import type { BrowserType } from "playwright-core";
import { browserError } from "../browser-error.ts";
import { BROWSER_PACKAGE, BROWSER_VERSION, findBrowserPackage } from "./browser-program.ts";

/** Loads the package; rejects with M8620 where it is not installed. */
export async function loadBrowserPackage(): Promise<BrowserType> {
  const path = findBrowserPackage();
  if (path === undefined) {
    throw browserError("M8620", {
      message: `the package ${BROWSER_PACKAGE} is not installed`,
      hint: `\`npm install ${BROWSER_PACKAGE}@${BROWSER_VERSION}\``,
    });
  }
  const loaded = (await import(pathToFileURL(path).href)) as {
    readonly chromium?: BrowserType;
    readonly default?: { readonly chromium: BrowserType };
  };
  const chromium = loaded.chromium ?? loaded.default?.chromium;
  if (chromium !== undefined) return chromium;
  throw browserError("M8620", { message: `the package in ${path} has no \`chromium\`` });
}

/** Finds the package that drives a browser, and the browser. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findInstalled } from "../../models/providers/packages.ts";
import { browserError } from "../browser-error.ts";

export const BROWSER_PACKAGE = "playwright-core";
export const BROWSER_VERSION = "^1.65.0";

/** The environment variable that declares the browser. */
const DECLARED = "MADRIGAL_BROWSER";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

const OTHER_PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/** Returns the path of an installed browser: the declared one, else the first on the PATH. */
export function findBrowser(env: NodeJS.ProcessEnv, declared?: string): string | undefined {
  const named = declared ?? env[DECLARED];
  if (named) return isProgram(named) ? named : undefined;
  const folders = (env.PATH ?? "").split(delimiter).filter((one) => one !== "");
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...paths, ...OTHER_PLACES].find(isProgram);
}

/** Like `findBrowser`; throws M8621 where there is none. */
export function browserProgram(env: NodeJS.ProcessEnv, declared?: string): string {
  const found = findBrowser(env, declared);
  if (found !== undefined) return found;
  const named = declared ?? env[DECLARED];
  throw browserError("M8621", {
    message: named ? `there is no program \`${named}\`` : "no browser is installed",
    hint: `install Chromium (Debian: \`apt install chromium\`) or Chrome, or name its program in ${DECLARED}`,
  });
}

/** Returns the file of the package: of the project in the working folder, else the one beside Madrigal. */
export function findBrowserPackage(): string | undefined {
  return findInstalled(BROWSER_PACKAGE);
}

function isProgram(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

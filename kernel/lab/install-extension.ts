/** Installs our extension for JupyterLab in a data folder of Jupyter, and removes it. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { EXTENSION_NAME, extensionFiles } from "./extension-files.ts";
import { notWritable } from "./install-kernelspec.ts";

/** The folder of our extension in a data folder. */
export function extensionFolder(dataFolder: string): string {
  return join(dataFolder, "labextensions", EXTENSION_NAME);
}

/** Writes the extension; one of an earlier installation of ours is replaced. The folder that it is in. */
export function installExtension(dataFolder: string): string {
  const folder = extensionFolder(dataFolder);
  assertOurs(folder);
  // JupyterLab looks into no folder whose name begins with a dot.
  const unfinished = join(dirname(folder), `.${EXTENSION_NAME}-${randomUUID()}`);
  try {
    for (const [name, text] of extensionFiles()) {
      mkdirSync(dirname(join(unfinished, name)), { recursive: true });
      writeFileSync(join(unfinished, name), text);
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } catch (cause) {
    throw notWritable(folder, cause);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Removes the extension; whether there was one. */
export function uninstallExtension(dataFolder: string): boolean {
  const folder = extensionFolder(dataFolder);
  assertOurs(folder);
  if (!existsSync(folder)) return false;
  try {
    rmSync(folder, { recursive: true });
  } catch (cause) {
    throw notWritable(folder, cause);
  }
  return true;
}

/**
 * Returns the fault of the extension in a data folder; undefined if it is complete and of this
 * Madrigal.
 */
export function faultOfExtension(dataFolder: string): string | undefined {
  const folder = extensionFolder(dataFolder);
  if (!existsSync(join(folder, "package.json"))) return "is not there";
  const differs = [...extensionFiles()].find(
    ([name, text]) => readTextIfThere(join(folder, name)) !== text,
  );
  if (differs === undefined) return undefined;
  return isOurs(folder)
    ? `is damaged, or of another version: \`${differs[0]}\``
    : "is not Madrigal's";
}

/** Throws M7721 when the folder has an extension of somebody else. */
function assertOurs(folder: string): void {
  if (!existsSync(folder) || isOurs(folder)) return;
  const what = `\`${folder}\` is not ours: its package.json is of something else`;
  throw new CommandError("M7721", what, {
    hint: "look at it, and move it away if you don't need it",
    exitCode: EXIT.wrong,
  });
}

function isOurs(folder: string): boolean {
  try {
    const { name, jupyterlab } = JSON.parse(readTextIfThere(join(folder, "package.json")) ?? "");
    return name === EXTENSION_NAME && /^static\/\w+\/entry\.js$/.test(jupyterlab?._build?.load);
  } catch {
    return false;
  }
}

function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

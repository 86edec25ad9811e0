/** Finds and loads packages of providers, in the user's project and beside Madrigal. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { RunError } from "../../../failure.ts";

/** A package that brings a provider. */
export interface ProviderPackage {
  readonly name: string;
  /** The versions that fit, as npm writes them. */
  readonly range?: string;
}

/** The clone of Madrigal runs its sources; the published package has JavaScript. */
const isClone = import.meta.url.endsWith(".ts");

/**
 * Returns the file of a package: of the project in `folder`, else of the working folder, else the one beside Madrigal.
 * Throws M8130, which has the command that installs it, where none is there.
 */
export function findPackage(
  { name, range }: ProviderPackage,
  {
    id,
    folder,
    instead,
  }: { readonly id: string; readonly folder?: string; readonly instead?: string },
): string {
  const path = findInstalled(name, folder);
  if (path !== undefined) return path;
  const named = range === undefined ? name : `${name}@${range}`;
  const command = isClone ? `npm run add -- ${name}` : `npm install ${named}`;
  throw new RunError("M8130", `\`${id}\` cannot run: the package ${name} is not installed`, {
    hint: `\`${command}\`${instead === undefined ? "" : `; ${instead}`}`,
  });
}

/** Like `findPackage`; undefined where the package is not installed. */
export function findInstalled(name: string, folder?: string): string | undefined {
  for (const from of placesOf(folder)) {
    const path = resolveFrom(from, name);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Loads the file that `findPackage` found. */
export function loadPackage(path: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(path).href);
}

function placesOf(folder: string | undefined): readonly string[] {
  const folders = folder === undefined ? [process.cwd()] : [folder, process.cwd()];
  return [...folders.map((one) => join(one, "package.json")), import.meta.url];
}

function resolveFrom(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}

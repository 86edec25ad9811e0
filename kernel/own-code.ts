/** Tells our own code from the user's, in stacks, breakpoints and imports. */
import { fileURLToPath } from "node:url";

/** The URLs of the folders with our code, each with a slash at its end: of the sources, and of the files that a build makes. */
export const OWN_URLS: readonly string[] = ["kernel", "runtime", "dsl", "chunks"].map(
  (folder) => new URL(`../${folder}/`, import.meta.url).href,
);

const OWN_FOLDERS = OWN_URLS.map((url) => fileURLToPath(url));

/** Returns whether a URL names a file of ours. */
export function isOwnUrl(url: string): boolean {
  return OWN_URLS.some((own) => url.startsWith(own));
}

/** Returns whether a path names a file of ours. */
export function isOwnPath(path: string): boolean {
  return OWN_FOLDERS.some((own) => path.startsWith(own));
}

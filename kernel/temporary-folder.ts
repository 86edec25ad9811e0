/** Makes temporary folders that carry the number of their process, and removes those of processes that were killed. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProcessAlive } from "./startup/parent-watch.js";

/** The kinds of temporary folders: files for the native compiler, the connection file of a kernel, tables for Python, and pages to print. */
export type TemporaryKind = "types" | "kernel" | "python" | "print";

/**
 * Returns the real path of a new folder that only this user may read. Its maker removes it; what a killed process of this
 * user could not remove goes at the next call.
 */
export function makeTemporaryFolder(kind: TemporaryKind): string {
  const parent = realpathSync(tmpdir());
  removeAbandoned(parent, kind);
  return mkdtempSync(join(parent, `madrigal-${kind}-${process.pid}-`));
}

function removeAbandoned(parent: string, kind: TemporaryKind): void {
  const named = new RegExp(`^madrigal-${kind}-(\\d+)-`);
  for (const name of readdirSync(parent)) {
    const [, owner] = named.exec(name) ?? [];
    if (owner === undefined || isProcessAlive(Number(owner))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It is another user's, or another process removes it at the same time.
    }
  }
}

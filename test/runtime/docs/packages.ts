/** Folders of made-up packages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with `files`, gone after the test. */
export function createRoot(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "madrigal-docs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  plant(root, files);
  return root;
}

/** Writes files below `root`. */
export function plant(root: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

/** Makes an empty home for a real agent. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../support/child.ts";

/** Returns a new folder in the project, since Codex makes no helper programs below /tmp. */
export function freshHome(): string {
  const cache = join(projectRoot, "node_modules", ".cache", "madrigal", "agents");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, "home-"));
}

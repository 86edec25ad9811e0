/** Groups for the door what is known of sandboxes on this machine. */
import type { ExaminedSandbox } from "../agents/code/examine-sandbox.ts";

/** Runs a command that does nothing in a sandbox. */
export async function examineSandbox(): Promise<ExaminedSandbox> {
  return (await import("../agents/code/examine-sandbox.ts")).examineSandbox();
}

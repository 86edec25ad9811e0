/** Opens this process's TypeScript compiler for programs outside of a notebook. */
import type { ProgramTypes } from "../types/files/check-program.ts";

let opened: Promise<ProgramTypes> | undefined;

/** One compiler a process, loaded when the first program needs it. */
export function openTypes(): Promise<ProgramTypes> {
  opened ??= import("../types/files/check-program.ts").then((module) => module.openProgramTypes());
  return opened;
}

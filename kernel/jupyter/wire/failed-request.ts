/** Turns an error into the form that replies give to errors. */
import { CommandError } from "../../command-error.ts";
import type { Dict } from "./message.ts";

export function errorContent(thrown: unknown): Dict {
  const evalue = thrown instanceof Error ? thrown.message : String(thrown);
  const ename = thrown instanceof CommandError ? thrown.code : "M9000";
  const hint = thrown instanceof CommandError ? thrown.hint : undefined;
  const traceback = [`${ename}: ${evalue}`, ...(hint === undefined ? [] : [`hint: ${hint}`])];
  return { status: "error", ename, evalue, traceback };
}

/**
 * Returns the error M7406 about an unknown kind of request, so that its sender does not wait for
 * ever.
 */
export function unknownRequest(type: string): CommandError {
  return new CommandError("M7406", `the kernel does not know the request \`${type}\``, {
    hint: "the front end is newer than this kernel, or asks for what this kernel lacks",
  });
}

/** Returns the error M7408 about a subshell that does not exist. */
export function unknownSubshell(id: unknown): CommandError {
  return new CommandError("M7408", `there is no subshell \`${id}\``, {
    hint: "`create_subshell_request` makes one; it is gone once it is deleted or the kernel is restarted",
  });
}

/** Returns the error M7407 about a request whose content lacks a part. */
export function wrongContent(type: string, what: string): CommandError {
  return new CommandError("M7407", `\`${type}\` ${what}`, {
    hint: "this is an error in the front end; please report it there",
  });
}

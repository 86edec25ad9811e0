/** Loads the SDK of Restate, which whoever runs workers installs beside Madrigal. */
import type * as restate from "@restatedev/restate-sdk";
import { findInstalled, loadPackage } from "../agents/models/providers/packages.ts";
import { RunError } from "../failure.ts";

export type LoadedSdk = typeof restate;

const NAME = "@restatedev/restate-sdk";

/** Throws M5801 where it is not installed. */
export async function loadSdk(): Promise<LoadedSdk> {
  const path = findInstalled(NAME);
  if (path !== undefined) return (await loadPackage(path)) as unknown as LoadedSdk;
  throw new RunError("M5801", `the package ${NAME} is not installed`, {
    hint: `\`npm install ${NAME}@^1.17.0\`; Restate's server is a program of its own, see runtime/deploy`,
  });
}

/** Tells a caller, with its code, what it did wrong: that is not tried again. */
export function refusing<T>({ TerminalError }: LoadedSdk, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof RunError ? refusalOf(cause, TerminalError) : cause;
  }
}

function refusalOf(cause: RunError, terminal: LoadedSdk["TerminalError"]): Error {
  return new terminal(`${cause.code}: ${cause.message}`, { errorCode: 400 });
}

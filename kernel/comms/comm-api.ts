/** Exports `comm` of "madrigal": lines between cells and widgets or other code of the front end. */
import { CommandError } from "../command-error.ts";
import { currentHost } from "../host.ts";
import type { Comm, CommOptions } from "./comm.ts";
import type { Comms, CommTarget } from "./comms.ts";

/** Comms of the running kernel. Each throws M7411 where there is none. */
export const comm = {
  /** Takes the comms that front ends open to `name`, instead of who did before; what it returns ends that. */
  target: (name: string, take: CommTarget): (() => void) => comms().target(name, take),
  /** Opens a comm to what the front ends know by this name; one that does not know it closes the comm. */
  open: (name: string, data?: unknown, options?: CommOptions & { readonly id?: string }): Comm =>
    comms().open(name, data, options),
};

function comms(): Comms {
  const found = currentHost()?.comms;
  if (found !== undefined) return found;
  throw new CommandError("M7411", "there is no front end here to open a comm to", {
    hint: "comms work in cells, where a kernel runs",
  });
}

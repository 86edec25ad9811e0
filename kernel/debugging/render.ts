/** Renders a variable as forms by mime type for "Render variable". */
import { redaction } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { toBundle } from "../display/index.ts";
import { plainText } from "../display/plain.ts";
import { runBundle } from "../display/run/run-bundle.ts";
import type { Rendered } from "../jupyter/debug/protocol.ts";
import { type FrameAt, lookedUp } from "./look-up.ts";
import { DRAWING } from "./shown-frames.ts";

export async function rendered(name: string, at: FrameAt): Promise<Rendered> {
  const { run, index } = at;
  if (name === DRAWING) return await runBundle(run.run, markOf(at));
  const last = run.debug.run.position.last;
  const isField = Object.hasOwn(run.debug.values("State", index), name);
  const isChange = !isField && Object.hasOwn(run.debug.values("Last changes", index), name);
  if (isChange && last !== undefined) return await toBundle(last);
  const value = redaction.shownValue({ [name]: lookedUp(name, at) }, run.run)[name];
  return {
    data: {
      ...(typeof value === "object" && value !== null ? { "application/json": value } : {}),
      "text/plain": typeof value === "string" ? value : plainText(value),
    },
    metadata: {},
  };
}

/** The node of the run's own graph that the frame is in. */
function markOf({ run, index }: FrameAt): { readonly marked?: string } {
  const frame = run.debug.frames[index];
  const marked = frame?.path[0]?.replace(/[.#].*$/, "") ?? frame?.node;
  return marked === undefined ? {} : { marked };
}

/** A name of the notebook, shown as a cell would show it. M7767 where there is none. */
export async function renderedGlobal(
  name: string,
  names: Readonly<Record<string, unknown>>,
): Promise<Rendered> {
  if (Object.hasOwn(names, name)) return await toBundle(names[name]);
  throw new CommandError("M7767", `there is no \`${name}\` in this notebook`, {
    hint: "it may have been declared before the kernel was restarted: run its cell again",
  });
}

/** Makes the failure of a node run whose node is gone from the program. */
import type { Failure } from "../../failure.ts";

/** No retry, limit or arrow of the text has a say in it. */
export function goneNodeFailure(node: string): Failure {
  return {
    class: "denied",
    code: DROPPED,
    message: `\`${node}\` is gone from the program, and what it had under way is dropped`,
    hint: "the run goes on behind it; calls that it has made stay made",
  };
}

export function isGoneNodeFailure({ code }: Failure): boolean {
  return code === DROPPED;
}

const DROPPED = "M5315";

/** Writes a breakpoint as people read it. */
import type { BreakpointPlace } from "./breakpoint-types.ts";

/** Returns a breakpoint as text for people: `before \`b\``, `watch plan.steps`. */
export function breakpointText(place: BreakpointPlace): string {
  switch (place.kind) {
    case "node":
      return `${place.when} \`${place.node}\``;
    case "edge":
      return `edge ${place.text}`;
    case "watch":
      return `watch ${place.text}`;
    case "event":
      return [place.on, place.name, ...(place.node === undefined ? [] : [`of ${place.node}`])]
        .filter((part) => part !== undefined)
        .join(" ");
    case "cost":
      return `cost above $${place.above}`;
  }
}

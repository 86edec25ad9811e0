/** Times of LangGraph 1.7.3, measured once on a quiet machine of this kind: medians in ms by store. */
import type { Store } from "./side.ts";

const referenceMs: Readonly<Record<string, Readonly<Record<Store, number>>>> = {
  "chain 100": { none: 13.3, memory: 24.4, disk: 37 },
  "chain 1000": { none: 264, memory: 1525, disk: 1674 },
  "fan-out 1000": { none: 316, memory: 348, disk: 371 },
  "fan-out 5000": { none: 8112, memory: 8393, disk: 8908 },
  "loop 1000": { none: 146, memory: 199, disk: 286 },
  "wide 25x300": { none: 4.82, memory: 584, disk: 775 },
  "react 100": { none: 29.5, memory: 502, disk: 1271 },
};

/** Why a figure of LangGraph's can't be what it costs here: it lies beyond 0.5 to 2 times the reference. */
export function doubtful(name: string, store: Store, medianMs: number): string | undefined {
  const wanted = referenceMs[name]?.[store];
  if (wanted === undefined) return undefined;
  const times = medianMs / wanted;
  if (times >= 0.5 && times <= 2) return undefined;
  return `${name} (${store}) is not valid: LangGraph took ${times.toFixed(1)} times what it did on the reference machine; is this one busy?`;
}

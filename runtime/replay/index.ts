/** Exports what commands report of replays and reruns, as one group of the door of runtime. */
export type { EffectLeftBehind } from "../history/log-path.ts";
export type { Rerun, Savings } from "../rerun/rerun.ts";
export type { Divergence } from "./divergence.ts";
export type { Replay } from "./replay.ts";

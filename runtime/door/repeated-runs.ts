/** Groups for the door the results of replays and reruns, which commands report. */
export type { EffectLeftBehind } from "../history/log-path.ts";
export type { Divergence } from "../replay/divergence.ts";
export type { Replay } from "../replay/replay.ts";
export type { Rerun, Savings } from "../rerun/rerun.ts";

/** The states of a run. `waiting`: nothing else can run before somebody answers. */
export type RunStatus =
  | "created"
  | "running"
  | "waiting"
  | "paused"
  | "succeeded"
  | "failed"
  | "aborted";

/** What the threads of a store say to each other about its checkpoints. */

/** Of a checkpoint: none, one that is asked for, one under way. */
export const IDLE = 0;
export const ASKED = 1;
export const BUSY = 2;

export interface CheckpointWork {
  readonly file: string;
  /** One of the above; shared by both threads. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

/** What happens to a run from outside: everything `advance` decides on comes in as one of these, with its time. */
import type { Failure } from "../failure.ts";
import type { EffectKind, ModelSource } from "../records.ts";
import type { Usage } from "../usage.ts";

export type Completion = { readonly at: number } & (
  | { readonly kind: "begin"; readonly input: Readonly<Record<string, unknown>> }
  /** The driver has begun an attempt. */
  | { readonly kind: "started"; readonly id: number; readonly attempt: number }
  /** An attempt asks to make a call; the answer is in the records: an intent, or the end of the node run. */
  | ({ readonly kind: "intent" } & CallOf & {
        readonly request?: unknown;
        readonly external?: boolean;
      })
  | ({ readonly kind: "outcome" } & CallOf & {
        readonly value?: unknown;
        readonly failure?: Failure;
        readonly usage?: Usage;
        readonly durationMs: number;
        readonly transportRetries?: number;
        readonly firstTokenMs?: number;
      })
  | {
      readonly kind: "succeeded";
      readonly id: number;
      readonly attempt: number;
      readonly output: unknown;
    }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly attempt: number;
      readonly failure: Failure;
    }
  /** A timer that `advance` asked for is due. */
  | { readonly kind: "timer"; readonly timer: Timer }
  | {
      readonly kind: "control";
      readonly verb: "pause" | "resume" | "abort";
      readonly reason?: string;
      readonly owner?: string;
    }
);

interface CallOf {
  readonly id: number;
  readonly attempt: number;
  readonly call: number;
  readonly effect: EffectKind;
  readonly name: string;
  readonly modelSource?: ModelSource;
  readonly toolCallId?: string;
}

/** A deadline of the run (no `id`) or of a node run, in milliseconds of the driver's clock. */
export interface Timer {
  readonly id?: number;
  readonly due: number;
}

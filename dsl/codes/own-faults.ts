/** Explanations of the error codes M9xxx: faults of Madrigal itself. */
import type { CodePage } from "./page.ts";

export const ownFaults = {
  M9000: {
    title: "Madrigal itself is at fault",
    why: "Something that cannot happen happened. Please report it with the text below; the run's log is kept and `madrigal resume` may go on from it.",
  },
} as const satisfies Record<`M9${number}`, CodePage>;

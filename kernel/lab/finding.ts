/** Declares what `madrigal doctor` says of one thing that it examined. */

/** `note`: something optional is missing, which its hint says who needs. */
export type Health = "ok" | "note" | "wrong";

export interface DoctorFinding {
  /** The part that was examined, in a word. */
  readonly part: string;
  readonly health: Health;
  readonly found: string;
  /** The remedy. */
  readonly hint?: string;
}

/** Returns a finding about a part that works. */
export function ok(part: string, found: string): DoctorFinding {
  return { part, health: "ok", found };
}

/** Returns a finding about a missing part that is optional. */
export function note(part: string, found: string, hint: string): DoctorFinding {
  return { part, health: "note", found, hint };
}

/** Madrigal does not work like this. */
export function wrong(part: string, found: string, hint: string): DoctorFinding {
  return { part, health: "wrong", found, hint };
}

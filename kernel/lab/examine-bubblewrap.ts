/** Examines whether code of agents can run in bubblewrap. */
import { sandboxes } from "../../runtime/index.ts";
import { type DoctorFinding, note, ok } from "./finding.ts";

/** Tries it: bubblewrap may be there and still be allowed nothing. */
export async function examineBubblewrap(): Promise<DoctorFinding> {
  const { version, fault } = await sandboxes.examineSandbox();
  if (fault === undefined) return ok(PART, `${version} makes sandboxes for code`);
  const [found = fault.message] = fault.message.split("; ");
  return note(PART, found, `only for \`code.run\`: ${fault.hint}`);
}

const PART = "bubblewrap";

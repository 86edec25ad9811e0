/** Examines which strong agents are on this machine, for `madrigal doctor`. */
import { strongAgents } from "../../runtime/index.ts";
import { type DoctorFinding, note, ok } from "./finding.ts";

/** Asks each program for its version; no session is begun. */
export async function examineAgents(env: NodeJS.ProcessEnv): Promise<readonly DoctorFinding[]> {
  return (await strongAgents.examineAgents(env)).map(findingOf);
}

function findingOf({
  name,
  install,
  tried,
  path,
  version,
}: strongAgents.ExaminedAgent): DoctorFinding {
  if (path === undefined)
    return note(
      name,
      "its program is not installed",
      `only for \`controller ${name}\`: ${install}`,
    );
  if (version === tried) return ok(name, `${version} at ${path}, which was tried`);
  const hint = `${tried} was tried: where it behaves otherwise, that is the reason`;
  return note(name, `${version ?? "no version"} at ${path}, which was not tried`, hint);
}

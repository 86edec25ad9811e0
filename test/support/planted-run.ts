/** A run with planted secrets. */
import { type DrivenRun, type Session, scripted, tool } from "../../runtime/index.ts";

/** In the environment: nobody ever sees it, not even the log. */
export const KNOWN = "planted-environment-77";
/** By their names, their forms, or chance. */
export const GUESSED = [
  "hdr-planted-name-81",
  `sk-${"planted82".repeat(4)}`,
  "Xq7Rz2Lk9Vb4Nc8Tm3Wp6Yd1Hf5Jg0",
  "9planted-in-url",
];
/** Typed so in the program. */
export const PRIVATE = ["Ada Planted Lovelace", "071-planted-33", "the planted diagnosis", "42137"];

const program = `model m = "scripted"
type Patient = { name: Private<string>, ward: string }
graph Care(patient: Patient, phone: Private<string>) returns letter, verdict, age {
  state {
    letter: string = ""
    verdict: Private<string> = ""
    age: Private<int> = 0
    notes: Private<string>[] = [] via append
  }
  agent look { model m; tools fetchPage; prompt \`Look after \${patient.name} (\${phone}), key ${GUESSED[2]}\`; writes letter }
  agent judge { model m; prompt \`What has \${patient.name} by \${letter}?\`; writes verdict }
  agent count { model m; prompt \`How many by \${verdict}?\`; writes age }
  run file = note(verdict) writes notes
  start -> look -> judge -> count -> file -> end
}`;

const fetchPage = tool(
  () => ({
    headers: { authorization: GUESSED[0], "set-cookie": [`sid=${GUESSED[0]}`] },
    body: `the key is ${GUESSED[1]}, the database postgres://admin:${GUESSED[3]}@db/x, and ${KNOWN}`,
  }),
  { effect: "none", description: "A page" },
);

const script = {
  look: [{ calls: [{ tool: "fetchPage", args: {} }] }, { says: "Dear ward" }],
  judge: [{ says: `${PRIVATE[2]}` }],
  count: [{ says: 42_137 }],
};

/** Runs to its end; the session has `PLANTED_API_KEY` in its environment. */
export async function plantedRun(session: Session): Promise<DrivenRun> {
  const note = (text: string) => [text];
  const graph = session.compile(program, { scope: { fetchPage, note } }).Care;
  const input = { patient: { name: PRIVATE[0], ward: "7" }, phone: PRIVATE[1] };
  const run = graph?.run(input, { models: { m: scripted(script) } });
  await run?.output;
  return run as DrivenRun;
}

/** Which of the planted ones a text has. */
export function told(
  text: string,
  planted: readonly string[] = [KNOWN, ...GUESSED, ...PRIVATE],
): string[] {
  return planted.filter((secret) => text.includes(secret));
}

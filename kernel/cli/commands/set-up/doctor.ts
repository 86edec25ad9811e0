/** `madrigal doctor`: examines what Madrigal needs and says how to mend what is missing. */

import { EXIT } from "../../../exit-codes.ts";
import { examine } from "../../../lab/examine.ts";
import type { DoctorFinding, Health } from "../../../lab/finding.ts";
import type { Painter } from "../../../paint.ts";
import type { CliCommand } from "../../command.ts";
import { paintFor, print, printJson, tell } from "../../output.ts";

export const command: CliCommand = {
  options: { json: "flag" },
  arguments: [],
  async run(call) {
    const findings = await examine();
    const isWell = findings.every(({ health }) => health !== "wrong");
    if (call.flag("json")) printJson({ ok: isWell, findings });
    else print(reportText(findings, isWell));
    if (isWell) return EXIT.done;
    tell(
      `${paintFor(process.stderr)("error", "error[M7740]")}: something that Madrigal needs is missing or broken`,
    );
    return EXIT.missing;
  },
};

const STYLES = { ok: "good", note: "warning", wrong: "error" } as const satisfies Record<
  Health,
  Parameters<Painter>[0]
>;

function reportText(findings: readonly DoctorFinding[], isWell: boolean): string {
  const lines = findings.map((finding) => lineOf(finding, paintFor(process.stdout)));
  const hasNotes = findings.some(({ health }) => health === "note");
  const summary = hasNotes
    ? "Madrigal works. Each `note` is about something optional."
    : "Madrigal works.";
  return [...lines, ...(isWell ? ["", summary] : [])].join("\n");
}

function lineOf({ part, health, found, hint }: DoctorFinding, paint: Painter): string {
  const line = `${paint(STYLES[health], health.padEnd(5))} ${part}: ${found}`;
  return hint === undefined ? line : `${line}\n      hint: ${hint}`;
}

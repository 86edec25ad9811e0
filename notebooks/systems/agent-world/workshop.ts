/** The TypeScript of the programs beside this file: a check of leaflets, what puts parts together, and a press. */
import { tool } from "madrigal";

/** Says what a leaflet lacks. */
export const check = tool(
  (text: string) => [
    ...(/\bon \w+day\b/i.test(text) ? [] : ["it names no day"]),
    ...(/\bat the \w+/i.test(text) ? [] : ["it names no place"]),
  ],
  { effect: "none" },
);

/** Accepts what has no faults, whoever has found them. */
export function judged(
  found: string[],
  told: string[],
): { isAccepted: boolean; findings: string[] } {
  const findings = [...new Set([...told, ...found])];
  return { isAccepted: findings.length === 0, findings };
}

/** Puts the parts together, in the order of the plan. */
export function joined(notes: { part: string; text: string }[]): string {
  return notes.map(({ part, text }) => `${part}: ${text}`).join("\n");
}

const printed: string[] = [];

export const press = {
  /** Prints a text, which nobody takes back, and says where it lies. */
  print: tool(
    (text: string) => {
      printed.push(text);
      return `tray ${printed.length}`;
    },
    { effect: "external" },
  ),
};

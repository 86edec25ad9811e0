/**
 * Asks the person at the notebook: `input`, `prompt`, `confirm` and `select`. Each blocks until it is answered, and an
 * interrupt cancels it.
 */
import { RunError } from "../../../runtime/index.ts";
import { currentHost } from "../../host.ts";

/** A line of text. */
export function prompt(text = ""): string {
  return ask(text);
}

/** A line of text, by its name in other kernels. */
export const input = prompt;

/** Yes or no; asks again until it is one of them. */
export function confirm(text: string): boolean {
  for (;;) {
    const answer = ask(`${text} (y/n) `).trim().toLowerCase();
    if (["y", "yes"].includes(answer)) return true;
    if (["n", "no"].includes(answer)) return false;
  }
}

/** One of the options, by its number or its text; asks again until it is one of them. */
export function select<const T extends string>(text: string, options: readonly [T, ...T[]]): T {
  const listed = options.map((option, index) => `${index + 1} = ${option}`).join(", ");
  for (;;) {
    const answer = ask(`${text} (${listed}) `).trim();
    const chosen = options.find((option) => option === answer) ?? options[Number(answer) - 1];
    if (chosen !== undefined) return chosen;
  }
}

function ask(text: string): string {
  const host = currentHost();
  if (host !== undefined) return host.ask(text, { password: false });
  throw new RunError("M7503", "there is no notebook to ask in", {
    hint: "give the value as an argument of the program",
  });
}

/** Reads what a planner says in AWorld's format when it is done: an answer, and no step. */
import { plans } from "madrigal";

/** Returns the final answer of such a text; an empty one where there are still steps, or where the text can't be read. */
export function finalAnswer(text: string): string {
  try {
    const { plan, answer } = plans.read(text, { format: "aworld" });
    return plan === undefined ? (answer ?? "") : "";
  } catch {
    return "";
  }
}

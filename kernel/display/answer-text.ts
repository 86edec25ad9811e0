/** Writes an answer as a person types it. */
import type { Answer } from "../../runtime/index.ts";

export function answerText({ as, ...answer }: Answer): string {
  return as === undefined ? wordsOf(answer) : `as ${as}: ${wordsOf(answer)}`;
}

function wordsOf(answer: Answer): string {
  switch (answer.kind) {
    case "approve":
      return "approve";
    case "deny":
      return answer.reason === undefined ? "deny" : `deny: ${answer.reason}`;
    case "revise":
      return `revise ${answer.text}`;
    case "edit":
      return `edit ${JSON.stringify(answer.value)}`;
    case "value":
      return JSON.stringify(answer.value) ?? "";
  }
}

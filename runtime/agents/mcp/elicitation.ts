/** Turns what a server asks during a call into a question of the run, and the answer back. */
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { JsonSchema } from "../../../dsl/index.ts";
import type { Answer, Question } from "../../interrupt.ts";

/** Asks whoever answers the run. */
export type AskPeople = (question: Question) => Promise<Answer>;

/** Answers a server as people answer the run; nobody there means that the request is cancelled. */
export async function elicit(
  server: string,
  asked: ElicitRequestParams,
  ask: AskPeople | undefined,
): Promise<ElicitResult> {
  if (ask === undefined) return { action: "cancel" };
  return resultOf(asked, await ask(questionOf(server, asked)));
}

function questionOf(server: string, asked: ElicitRequestParams): Question {
  const { message } = asked;
  if (asked.mode === "url") {
    const question = `the server \`${server}\` asks you to open ${asked.url}: ${message}`;
    return { ask: "approval", question, shown: { server, url: asked.url } };
  }
  const schema = asked.requestedSchema as JsonSchema;
  return { ask: "input", question: `the server \`${server}\` asks: ${message}`, schema };
}

function resultOf({ mode }: ElicitRequestParams, answer: Answer): ElicitResult {
  switch (answer.kind) {
    case "value":
    case "edit":
      return { action: "accept", content: answer.value as NonNullable<ElicitResult["content"]> };
    case "approve":
      return mode === "url" ? { action: "accept" } : { action: "accept", content: {} };
    case "deny":
      return { action: "decline" };
    case "revise":
      return { action: "cancel" };
  }
}

/** Calls the function of `context shorten`, which says what a model is shown of its conversation. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { DottedIr } from "../../../dsl/index.ts";
import { type Failure, FailureError } from "../../failure.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import { contextFunction } from "../../scheduler/attempts/attempt-view.ts";
import { assertJson, failureIn } from "../functions/function-result.ts";
import { lookUp, type Scope } from "../scope/scope.ts";

/**
 * Returns the messages as the node's `context` function shapes them, by a journalled call; without a function, the
 * messages themselves.
 */
export async function shownBy(
  { node, label }: Attempt,
  context: PerformerContext,
  of: { readonly messages: readonly LanguageModelV4Message[]; readonly scope: () => Scope },
): Promise<readonly LanguageModelV4Message[]> {
  const callee = contextFunction(node);
  if (callee === undefined) return of.messages;
  const name = callee.join(".");
  const shown = await context.effect<unknown>({
    effect: "function",
    name,
    request: { messages: of.messages.length },
    perform: async () => ({ value: await called(callee, of, label) }),
  });
  if (isConversation(shown)) return shown;
  throw new FailureError(wrong(node.name, `\`${name}\` gives no list of messages`));
}

async function called(
  callee: DottedIr,
  { messages, scope }: Parameters<typeof shownBy>[2],
  label: string,
): Promise<unknown> {
  const name = callee.join(".");
  const found = lookUp(callee, scope());
  if (typeof found?.value !== "function")
    throw new FailureError(wrong(label, `no function is called \`${name}\``));
  try {
    // A copy: what it changes in place is its own.
    const given = structuredClone(messages);
    return assertJson(
      await Reflect.apply(found.value, found.owner, [given]),
      `what \`${name}\` gives`,
    );
  } catch (thrown) {
    throw failureIn(name, thrown);
  }
}

function isConversation(value: unknown): value is readonly LanguageModelV4Message[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every(
    (one) => typeof one === "object" && one !== null && "role" in one && "content" in one,
  );
}

function wrong(node: string, what: string): Failure {
  return {
    class: "tool",
    code: "M8121",
    message: `the context of \`${node}\` can't be made: ${what}`,
    hint: "a function behind `context` takes the messages and gives those that the model is to see",
  };
}

/** Derives what a strong agent may write, send, ask and hand over from the clauses of its node. */
import { findByName, type JsonSchema, toJsonSchema } from "../../../dsl/index.ts";
import type { OutgoingMessage } from "../../envelope.ts";
import { FailureError } from "../../failure.ts";
import type { Attempt } from "../../performer.ts";
import { describeMisfit, misfits } from "../../state/json-schema.ts";
import type { SendRight, StartRequest } from "./controller.ts";

/** The rights of the node: its fields by their types, whom it may choose, whom it tells, and the memories that it recalls. */
export function rightsOf(
  attempt: Attempt,
): Pick<StartRequest, "writes" | "handoffs" | "sends" | "memories"> {
  const { node, choices = [] } = attempt;
  const { writes, recalls, output = {} } = node;
  const properties = (output.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const { $defs } = output;
  const types = writes.map(({ field }): [string, JsonSchema] => {
    const own = writes.length === 1 ? output : (properties[field] ?? {});
    return [field, $defs === undefined || own === output ? own : { ...own, $defs }];
  });
  const sends = sendRight(attempt);
  return {
    ...(types.length === 0 ? {} : { writes: Object.fromEntries(types) }),
    ...(choices.length === 0 ? {} : { handoffs: choices.map(({ name }) => name) }),
    ...(sends === undefined ? {} : { sends }),
    ...(recalls.length === 0 ? {} : { memories: recalls.map(({ memory }) => memory) }),
  };
}

function sendRight({ node: { tell }, ir }: Pick<Attempt, "node" | "ir">): SendRight | undefined {
  if (tell === undefined) return undefined;
  const type = tell.as === undefined ? undefined : findByName(ir.types, tell.as);
  const known = new Map(ir.types.map((one) => [one.name, one.type]));
  return {
    ...(tell.targets === "*" ? {} : { to: tell.targets }),
    ...(type === undefined ? {} : { payload: toJsonSchema(type.type, known).schema }),
  };
}

/** Says what is wrong with a message by the right of its sender; undefined where nothing is. */
export function sendFault(
  { to, payload }: OutgoingMessage,
  right: SendRight | undefined,
): string | undefined {
  if (right === undefined) return "you may send no messages";
  const isAllowed = right.to === undefined ? to === null : to !== null && right.to.includes(to);
  if (!isAllowed) return `you may send to ${right.to?.join(", ") ?? "whoever follows"} alone`;
  const [first] = right.payload === undefined ? [] : misfits(payload, right.payload);
  return first === undefined ? undefined : `the message: ${describeMisfit(first)}`;
}

/** Throws M8440 where a message is to somebody whom the node does not tell, or not of the type that is its kind. */
export function assertSends(
  sends: readonly OutgoingMessage[],
  attempt: Attempt,
  controller: string,
): void {
  const right = sendRight(attempt);
  const fault = sends.map((one) => sendFault(one, right)).find((one) => one !== undefined);
  if (fault === undefined) return;
  throw new FailureError({
    class: "invalid",
    code: "M8440",
    message: `a message of \`${controller}\` can't be sent by \`${attempt.node.name}\`: ${fault}`,
    hint: "`tell a, b` in the node says whom it may tell, and `as TYPE` what",
    feedback: `A message of yours could not be sent: ${fault}. Answer again.`,
  });
}

/** Reads the payload of a handoff as the arguments that the arrow to its target leaves open. */
import type { Handoff } from "../../envelope.ts";
import type { Failure } from "../../failure.ts";
import { describeMisfit, misfits } from "../../state/json-schema.ts";
import { openParams, paramsSchema } from "../program/open-params.ts";
import { choicesOf, type Program, type ProgramNode } from "../program/program.ts";

/** Returns the failure of a handoff whose payload is not what its target takes; `undefined` if it fits. */
export function handoffMisfit(
  program: Program,
  node: ProgramNode,
  to: string | undefined,
  { payload = {} }: Handoff,
): Failure | undefined {
  const params = paramsOf(program, to);
  const target = node.outlet.edges
    .flatMap(({ route }) => choicesOf(route))
    .find((one) => one.node === to);
  const open = target === undefined ? [] : openParams(params, target);
  if (open.length === 0) return undefined;
  const [misfit] = misfits(payload, paramsSchema(open, program.ir));
  if (misfit === undefined) return undefined;
  const why = describeMisfit(misfit);
  const takes = open.map(({ name }) => name).join(", ");
  return {
    class: "invalid",
    code: "M8720",
    message: `what \`${node.ir.name}\` hands over does not fit \`${to}\`: ${why}`,
    hint: `the payload of a handoff to \`${to}\` is an object with its parameters: ${takes}`,
    feedback: `Your handoff to ${to} could not be used: ${why}. Hand over again with the arguments ${takes}, or answer yourself.`,
  };
}

/** The arguments of a handoff that fits, by parameter; `undefined` where its target takes none. */
export function handedTo(
  program: Program,
  to: string | undefined,
  handoff: Handoff | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const names = paramsOf(program, to).map(({ name }) => name);
  const { payload } = handoff ?? {};
  if (names.length === 0 || typeof payload !== "object" || payload === null) return undefined;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => names.includes(name)));
}

function paramsOf({ nodes, nodeNumbers }: Program, name: string | undefined) {
  return nodes[nodeNumbers.get(name ?? "") ?? -1]?.ir.params ?? [];
}

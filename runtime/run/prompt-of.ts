/** Renders the prompt that the model of a node would get at the start of a run. */

import { promptText } from "../agents/conversation/messages.ts";
import { callAtOnce } from "../agents/functions/call-function.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { offeredSkills, unaskedSkills } from "../agents/skills/agent-skills.ts";
import type { SkillPlaces } from "../agents/skills/find-skill.ts";
import { RunError } from "../failure.ts";
import { attemptView } from "../scheduler/attempts/attempt-view.ts";
import { begin } from "../scheduler/control.ts";
import { type FunctionCall, KnownCalls } from "../scheduler/expressions/calls.ts";
import { foldRecord } from "../scheduler/fold.ts";
import { offered, type Program } from "../scheduler/program/program.ts";
import { emptySnapshot, newNodeRun, ROOT } from "../scheduler/snapshot/snapshot.ts";
import { assertInput } from "./input.ts";

/**
 * Functions in expressions are called at once. Throws M5003 for a node that is not there, M5001 for a wrong input, M8740 to M8742 for
 * a skill that can't be used.
 */
export function promptOf(
  linked: Program,
  scope: Scope,
  {
    name,
    input,
    places,
  }: { readonly name: string; readonly input: unknown; readonly places: SkillPlaces },
): string {
  const { ir } = linked;
  const number = linked.nodeNumbers.get(name);
  const node = linked.nodes[number ?? -1];
  if (node === undefined || number === undefined) {
    throw new RunError("M5003", `\`${ir.name}\` has no node \`${name}\``);
  }
  assertInput(ir, input);
  const otherwise = { result: (call: FunctionCall) => callAtOnce(call, scope, Date.now()) };
  const program = { ...linked, functions: new KnownCalls([], { otherwise }) };
  const snapshot = begin(program, emptySnapshot(), { kind: "begin", input, at: 0 }).reduce(
    (folded, record) => foldRecord(program, folded, record, 0),
    emptySnapshot(),
  );
  const view = attemptView(
    program,
    snapshot,
    newNodeRun({
      id: 0,
      line: 0,
      node: number,
      ordinal: 1,
      frame: ROOT,
      seq: 0,
      key: [],
      scope: ROOT,
      status: "ready",
    }),
  );
  const wanted = view.skills ?? [];
  const skills = offeredSkills(wanted, places, { served: unaskedSkills(wanted) });
  return promptText({
    ir,
    node: node.ir,
    choices: offered(linked, node),
    ...view,
    offered: skills,
  });
}

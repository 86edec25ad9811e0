/** Builds the scopes that a debugger shows of a frame: state, last changes, unread messages, handovers, remaining budget. */

import type { RunPosition } from "../history/run-position.ts";
import type { RunStep } from "../history/step.ts";
import { handersOf } from "../scheduler/flow/handovers.ts";
import { shownState, stateAt } from "../scheduler/lookup.ts";
import { inboxOf, shownMessage } from "../scheduler/mail.ts";
import { pathText } from "../state/path.ts";
import type { FrameScope } from "./frames.ts";
import { NO_ITEM } from "./item-values.ts";

export const SCOPES = ["State", "Last changes", "Inbox", "Handovers", "Limits"] as const;
export type ScopeName = (typeof SCOPES)[number];

/** The values of one scope by name; worked out when it is looked at. */
export function valuesIn(
  scope: FrameScope,
  name: ScopeName,
  position: RunPosition,
): Readonly<Record<string, unknown>> {
  switch (name) {
    case "State":
      return stateIn(scope);
    case "Last changes":
      return changesIn(scope, position);
    case "Inbox":
      return inboxIn(scope);
    case "Handovers":
      return handoversIn(scope);
    case "Limits":
      return limitsIn(scope);
  }
}

/** The nodes that handed over and wait for a `return`, with their arguments: the one that it leads back to first. */
function handoversIn({ nodeRun }: FrameScope): Readonly<Record<string, unknown>> {
  if (nodeRun === undefined) return {};
  const { program, snapshot, run } = nodeRun;
  const handers = handersOf(snapshot, run.frame).toReversed();
  return Object.fromEntries(
    handers.map(({ node, args = {} }, index) => [
      index,
      { node: program.nodes[node]?.ir.name ?? "", ...args },
    ]),
  );
}

function stateIn({ within, nodeRun, item }: FrameScope): Readonly<Record<string, unknown>> {
  if (nodeRun !== undefined) {
    const { program, snapshot, run } = nodeRun;
    return { ...stateAt(program, snapshot, run.frame), ...run.args };
  }
  if (within === undefined) return {};
  const { fields, variables } = item?.() ?? NO_ITEM;
  const shown = shownState(within.program, within.snapshot);
  return { ...within.snapshot.input, ...shown, ...fields, ...variables };
}

/** By path, what the last commit made of it. */
function changesIn({ frame }: FrameScope, position: RunPosition): Record<string, unknown> {
  const isAround = ({ path = [] }: RunStep) => path.length <= frame.path.length;
  const { last: latest } = position;
  const last = latest && (isAround(latest) ? latest : position.walked.findLast(isAround));
  return Object.fromEntries(
    (last?.patches ?? []).map(({ op, path, value }) => [
      pathText(path),
      op === "remove" ? undefined : value,
    ]),
  );
}

function inboxIn({ within, nodeRun }: FrameScope): Record<string, unknown> {
  if (nodeRun !== undefined) {
    const messages = nodeRun.run.inbox ?? inboxOf(nodeRun.snapshot, nodeRun.run);
    return Object.fromEntries(messages.map((message, index) => [index, shownMessage(message)]));
  }
  if (within === undefined) return {};
  const { program, snapshot } = within;
  return Object.fromEntries(
    [...snapshot.mail.inboxes.entries()].flatMap(([node, messages]) => {
      const name = program.nodes[node]?.ir.name;
      return name === undefined
        ? []
        : [[name, messages.map(({ message }) => shownMessage(message))] as const];
    }),
  );
}

/** Returns the usage, beside the limits of the graph and the node. */
function limitsIn({ within, nodeRun, frame }: FrameScope): Record<string, unknown> {
  if (within === undefined) return {};
  const { program, snapshot } = within;
  const node = program.ir.nodes.find(({ name }) => name === frame.node);
  const used = nodeRun?.run.usage ?? snapshot.usage;
  const limit = node?.limit ?? program.ir.limit;
  return {
    used: { ...used, steps: snapshot.steps, activeMs: nodeRun?.run.activeMs ?? snapshot.activeMs },
    limit: Object.fromEntries((limit?.quantities ?? []).map(({ unit, value }) => [unit, value])),
  };
}

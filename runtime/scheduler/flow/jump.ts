/** A command's way on, in place of what the arrows say: each name along the first arrow to it that is not used up. */
import { RETURN, type RouteIr, type TargetIr } from "../../../dsl/index.ts";
import type { Orders, Send } from "../../command.ts";
import type { Failure } from "../../failure.ts";
import { hasUsesLeft } from "../limits.ts";
import { type Program, type ProgramEdge, type ProgramNode, targetsOf } from "../program/program.ts";
import type { Departure, Leaf } from "./departure.ts";
import type { FlowDraft } from "./flow-draft.ts";
import { leave, targetLeaf, useRoute } from "./follow-routes.ts";
import { handoverMove } from "./handovers.ts";

/** Returns the fault of a node's orders, before any of them is carried out; `undefined` if there is none. */
export function ordersFault(
  program: Program,
  node: ProgramNode,
  orders: Orders,
): Failure | undefined {
  const { update = {}, goto = [], send = [] } = orders;
  const written = node.ir.writes.map(({ field }) => field);
  const foreign = Object.keys(update).find((field) => !written.includes(field));
  if (foreign !== undefined) return foreignField(node, foreign, written);
  const names = [
    ...new Set(node.outlet.edges.flatMap(({ route }) => targetsOf(route)).map((to) => to.node)),
  ];
  const unknown = [...goto, ...send.map(({ to }) => to)].find((name) => !names.includes(name));
  if (unknown !== undefined) return unknownTarget(node, unknown, names);
  return (
    together(node, goto) ??
    firstOf(send.map((one) => argumentFault(one, paramsOf(program, one.to))))
  );
}

interface JumpParam {
  readonly name: string;
  readonly isOptional: boolean;
}

/** Returns the parameters that a node can be sent, and which of them may be left out. */
function paramsOf({ nodes, nodeNumbers }: Program, name: string): readonly JumpParam[] {
  const params = nodes[nodeNumbers.get(name) ?? -1]?.ir.params ?? [];
  return params.map(({ name: param, optional, default: value }) => ({
    name: param,
    isOptional: optional || value !== undefined,
  }));
}

/** Sends a token where its node has ordered, and nowhere else; the result are the node runs that `send` starts. */
export function jump(
  draft: FlowDraft,
  from: Departure,
  { goto = [], send = [] }: Orders,
): readonly number[] {
  draft.spent = undefined;
  const ways = goto.flatMap((name) => wayTo(draft, from, name) ?? []);
  const leaves = ways.map((way): Leaf => {
    for (const route of way.routes) useRoute(draft, from, route);
    draft.program.tookArrow?.(from.outlet.id, way.target);
    const to = targetLeaf(draft, from, way.target, way.branch);
    const isPicked = way.routes.at(-1)?.kind === "pick" && way.target.node !== RETURN;
    const leaf = isPicked && to.kind === "node" ? { ...to, ...handoverMove(draft, from) } : to;
    const afterMs = way.routes.reduce((sum, route) => sum + (route.afterMs ?? 0), 0);
    const late = afterMs === 0 || leaf.kind !== "node" ? leaf : { ...leaf, afterMs };
    return way.routes.some((route) => route.detached === true)
      ? { ...late, detached: way.branch }
      : late;
  });
  const sent = send.map((one, index) => sendLeaf(draft, from, one, from.outlet.width + index));
  if (leaves.length + sent.length === 0) draft.exhausted = draft.spent ?? draft.exhausted;
  for (const { to } of send) {
    const [way] = waysTo(from.outlet.edges, to);
    if (way !== undefined) draft.program.tookArrow?.(from.outlet.id, way.target);
  }
  const first = draft.snapshot.next.run + leaves.filter(({ kind }) => kind === "node").length;
  leave(draft, from, [...leaves, ...sent]);
  return sent.map((_, index) => first + index);
}

interface Way {
  readonly routes: readonly RouteIr[];
  readonly target: TargetIr;
  readonly branch: number;
}

/** Conditions of the arrows are for those who decide nothing; how often an arrow may be used holds for all. */
function wayTo(draft: FlowDraft, { outlet, scope }: Departure, name: string): Way | undefined {
  const ways = waysTo(outlet.edges, name);
  const open = ways.find(({ routes }) =>
    routes.every((route) => hasUsesLeft(draft.program, draft.snapshot, { scope, route })),
  );
  if (open === undefined) draft.spent = ways.at(-1)?.routes.find((one) => one.max !== undefined);
  return open;
}

function waysTo(edges: readonly ProgramEdge[], name: string): readonly Way[] {
  return edges.flatMap(({ route, branch }) => waysIn(route, name, branch));
}

function waysIn(route: RouteIr, name: string, branch: number): readonly Way[] {
  const through = (inner: readonly RouteIr[]) =>
    inner.flatMap((one) =>
      waysIn(one, name, branch).map((way) => ({ ...way, routes: [route, ...way.routes] })),
    );
  switch (route.kind) {
    case "to":
      return route.targets.flatMap((target, index) =>
        target.node === name ? [{ routes: [route], target, branch: branch + index }] : [],
      );
    case "pick":
      return route.targets.flatMap((target) =>
        target.node === name ? [{ routes: [route], target, branch }] : [],
      );
    case "choice":
      return through(route.branches.map((one) => one.route));
    case "match":
      return through(route.cases.map((one) => one.route));
    case "each":
      return [];
  }
}

/** A branch behind all that the arrows could take. */
function sendLeaf(
  draft: FlowDraft,
  from: Departure,
  { to, args = {} }: Send,
  branch: number,
): Leaf {
  const target = { node: to, args: [] };
  const leaf = targetLeaf(draft, from, target, branch);
  if (leaf.kind !== "node" || leaf.args === undefined) return leaf;
  return { ...leaf, args: { ...leaf.args, ...args } };
}

/** `a -> b | c` and the branches of one choice lead to one of them only. */
function together(node: ProgramNode, goto: readonly string[]): Failure | undefined {
  const branches = goto.map((name) => waysTo(node.outlet.edges, name)[0]?.branch);
  const twice = branches.findIndex((branch, at) => branches.indexOf(branch) !== at);
  if (twice === -1) return undefined;
  return {
    class: "invalid",
    code: "M5206",
    message: `\`${node.ir.name}\` can't go to both \`${goto[branches.indexOf(branches[twice])]}\` and \`${goto[twice]}\`: its arrow leads to one of them`,
    hint: "give each of them an arrow of its own, or start them with `send`",
  };
}

function argumentFault({ to, args = {} }: Send, params: readonly JumpParam[]): Failure | undefined {
  const names = params.map(({ name }) => name);
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  const missing = params.find(({ name, isOptional }) => !isOptional && args[name] === undefined);
  if (unknown === undefined && missing === undefined) return undefined;
  const takes = `\`${to}\` takes (${names.join(", ")})`;
  return {
    class: "invalid",
    code: "M5207",
    message:
      unknown === undefined
        ? `what is sent to \`${to}\` has no \`${missing?.name}\``
        : `\`${to}\` has no parameter \`${unknown}\``,
    hint: takes,
  };
}

function firstOf(faults: readonly (Failure | undefined)[]): Failure | undefined {
  return faults.find((fault) => fault !== undefined);
}

function foreignField({ ir }: ProgramNode, field: string, written: readonly string[]): Failure {
  const there = written.length === 0 ? "nothing" : written.map((name) => `\`${name}\``).join(", ");
  return {
    class: "invalid",
    code: "M5205",
    message: `\`${ir.name}\` updates \`${field}\`, which it does not write: it writes ${there}`,
    hint: `write \`writes ${field}\` in the node, or leave it out of the update`,
  };
}

function unknownTarget({ ir }: ProgramNode, name: string, names: readonly string[]): Failure {
  const there = names.length === 0 ? "nothing" : names.map((one) => `\`${one}\``).join(", ");
  return {
    class: "invalid",
    code: "M5204",
    message: `\`${ir.name}\` can't go to \`${name}\`: behind its arrow there is ${there}`,
    hint: `write \`${ir.name} -> ${name}\`, or go to one of the names that are there`,
  };
}

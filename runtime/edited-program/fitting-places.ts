/** Finds work under way for which a changed program has no place. */
import { canonicalJson, withoutSpans } from "../../dsl/index.ts";
import {
  eachPlace,
  joinPlace,
  leavesOf,
  nodePlace,
  type Outlet,
  type Program,
  reachable,
  successors,
} from "../scheduler/program/program.ts";
import type { Frame } from "../scheduler/snapshot/parts.ts";
import type { NodeRun, Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { namingIn } from "./aligned.ts";
import type { Block, Change } from "./program-change.ts";
import { nodeShape } from "./same-shape.ts";

interface StartedRun {
  readonly program: Program;
  readonly snapshot: Snapshot;
}

/** `now` has the numbers of the log; `within` names the nodes that called the graph that this is of. */
export function placeBlocks(
  then: StartedRun,
  now: Program,
  change: Change,
  within: readonly string[] = [],
): readonly Block[] {
  const { snapshot } = then;
  const name = (node: string) => `\`${[...within, node].join(" › ")}\``;
  return [
    ...doneBlocks(then, now, change, name),
    ...[...snapshot.open.values()].flatMap((run) => ofRun(run, { then, now, change, name })),
    ...waitingBlocks(then, now, name),
    ...eachBlocks(then, now, name),
    ...branchBlocks(then, now, name),
    ...insideBlocks(then, now, change, within),
  ];
}

type NamedPlace = (node: string) => string;

/** Reports dropped nodes that have done something without being named in `dropped`. */
function doneBlocks(
  { program, snapshot }: StartedRun,
  now: Program,
  { before, dropped }: Change,
  name: NamedPlace,
): readonly Block[] {
  const known = new Set(before.gone);
  return now.nodes.flatMap(({ index, isGone }): readonly Block[] => {
    const was = program.nodes[index];
    const isNews =
      isGone === true && was !== undefined && was.isWait !== true && !known.has(was.ir.name);
    const times = snapshot.ordinals.get(index) ?? 0;
    const underWay = [...snapshot.open.values()].filter(({ node }) => node === index).length;
    if (!isNews || underWay > 0 || times === 0 || dropped.includes(was.ir.name)) return [];
    return [
      {
        why: `${name(was.ir.name)} is gone and has been done${times === 1 ? "" : ` ${times} times`}: \`--drop ${was.ir.name}\` leaves what it did as it is`,
        isForceable: true,
      },
    ];
  });
}

interface RunPart {
  readonly then: StartedRun;
  readonly now: Program;
  readonly change: Change;
  readonly name: NamedPlace;
}

/** Reports open node runs whose node is gone or has changed. */
function ofRun(run: NodeRun, { then, now, change, name }: RunPart): readonly Block[] {
  if (run.source !== undefined) return [];
  const was = then.program.nodes[run.node];
  const next = now.nodes[run.node];
  if (was === undefined || was.isGone === true) return [];
  const { before, dropped } = change;
  const node = was.ir.name;
  if (next === undefined || next.isGone === true) {
    if (dropped.includes(node) || before.gone?.includes(node) === true) return [];
    if (was.isWait === true)
      return [{ why: `what waits (${node}) has no arrow any more`, isForceable: true }];
    return [
      {
        why: `${name(node)} is under way and is gone: \`--drop ${node}\` gives up what it has under way`,
        isForceable: true,
      },
    ];
  }
  if (was.each !== next.each)
    return [{ why: `${name(next.ir.name)} is under way and stands in another \`each\` now` }];
  if (was.isWait === true || isSame(shapeOf(was.ir, change), shapeOf(next.ir, change))) return [];
  return [{ why: `${name(next.ir.name)} is under way and is another`, isForceable: true }];
}

/** Returns the shape of a node for comparison: its `each` by number, its fields by their new names. */
function shapeOf(
  node: Program["nodes"][number]["ir"],
  { before, after, renamed }: Change,
): unknown {
  const nowCalled = namingIn(before.fields, after.fields, renamed);
  const { each: _, ...shape } = nodeShape({ ...node, name: "" }) as { readonly each?: string };
  return JSON.parse(JSON.stringify(shape), (key, value: unknown) =>
    (key === "field" || key === "name") && typeof value === "string" ? nowCalled(value) : value,
  );
}

/** Tokens that wait at a join. */
function waitingBlocks(
  { program, snapshot }: StartedRun,
  now: Program,
  name: NamedPlace,
): readonly Block[] {
  const blocks: Block[] = [];
  for (const scope of snapshot.scopes.values()) {
    for (const [join, { tokens, owed }] of scope.joins.entries()) {
      const next = now.joins[join];
      const was = program.joins[join];
      const sources = [...tokens.entries(), ...owed.entries()].map(([source]) => source);
      if (sources.length === 0 || was === undefined || (next?.nodes.length ?? 0) > 0) continue;
      const first = program.nodes[was.nodes[sources[0] ?? -1] ?? -1]?.ir.name ?? "";
      blocks.push({ why: `${name(first)} is done and waits in \`${was.name}\`, which is gone` });
    }
  }
  return blocks;
}

function eachBlocks(
  { program, snapshot }: StartedRun,
  now: Program,
  name: NamedPlace,
): readonly Block[] {
  return [...snapshot.expansions.values()].flatMap(({ each }): readonly Block[] => {
    const was = program.eaches[each]?.ir;
    const next = now.eaches[each];
    if (was === undefined) return [];
    const isThere = next !== undefined && next.entry.id !== -1;
    if (!isThere)
      return [
        { why: `the items of ${name(`each ${was.variable}`)} are under way, and it is gone` },
      ];
    return isSame(was.variable, next.ir.variable)
      ? []
      : [
          {
            why: `the items of ${name(`each ${was.variable}`)} are under way, and are called \`${next.ir.variable}\` now`,
          },
        ];
  });
}

/** Branches under way must still be ways from where they forked: else a join could not know whom to wait for. */
function branchBlocks(
  { program, snapshot }: StartedRun,
  now: Program,
  name: NamedPlace,
): readonly Block[] {
  const outlets = new Map(outletsOf(now).map((one) => [one.outlet.id, one]));
  const next = successors(now);
  const blocks: Block[] = [];
  for (const { frame, place, what } of tokensOf(now, program, snapshot)) {
    for (const fork of forksAround(snapshot, frame)) {
      const outlet = outlets.get(fork);
      if (outlet !== undefined && isBehind(now, next, outlet.outlet, place)) continue;
      blocks.push({
        why: `${name(what)} is under way in a branch to which no arrow leads any more${outlet === undefined ? "" : ` from ${outlet.from}`}`,
      });
      break;
    }
  }
  return blocks;
}

/** In front of each join that closes the fork: one behind it could not be waited for. */
function isBehind(
  program: Program,
  next: readonly (readonly number[])[],
  outlet: Outlet,
  place: number,
): boolean {
  const leaves = leavesOf(program, outlet);
  if (!reachable(next, leaves, -1).has(place)) return false;
  return program.joins.every(({ index, ways }) => {
    const barrier = joinPlace(program, index);
    if (place === barrier || !ways.closes(outlet.id)) return true;
    return reachable(next, leaves, barrier).has(place);
  });
}

interface TokenAt {
  readonly frame: number;
  readonly place: number;
  readonly what: string;
}

function tokensOf(now: Program, program: Program, snapshot: Snapshot): readonly TokenAt[] {
  const runs = [...snapshot.open.values()].flatMap(
    ({ frame, node, source }): readonly TokenAt[] => {
      if (source !== undefined || now.nodes[node]?.isGone === true) return [];
      return [{ frame, place: nodePlace(node), what: program.nodes[node]?.ir.name ?? "" }];
    },
  );
  const eaches = [...snapshot.expansions.values()].map(({ frame, each }) => ({
    frame,
    place: eachPlace(now, each),
    what: `each ${program.eaches[each]?.ir.variable ?? ""}`,
  }));
  const waiting = [...snapshot.scopes.values()].flatMap(({ joins }) =>
    [...joins.entries()].flatMap(([join, { tokens }]) =>
      [...tokens.entries()].flatMap(([source, list]) =>
        list.map(({ frame }) => ({
          frame,
          place: joinPlace(now, join),
          what: program.nodes[program.joins[join]?.nodes[source] ?? -1]?.ir.name ?? "",
        })),
      ),
    ),
  );
  return [...runs, ...eaches, ...waiting];
}

/** The outlets that forked on the way to a line, as far as its scope reaches. */
function forksAround({ frames, scopes }: Snapshot, frame: number): readonly number[] {
  const begins = new Set([...scopes.values()].map((scope) => scope.frame));
  const forks: number[] = [];
  for (
    let at: Frame | undefined = frames.get(frame);
    at !== undefined;
    at = frames.get(at.parent)
  ) {
    if (begins.has(at.id)) break;
    if (at.fork >= 0) forks.push(at.fork);
  }
  return forks;
}

function outletsOf(
  program: Program,
): readonly { readonly outlet: Outlet; readonly from: string }[] {
  const { start, nodes, joins, eaches } = program;
  const leaving = (from: string, outlets: readonly Outlet[]) =>
    outlets.map((outlet) => ({ outlet, from }));
  return [
    { outlet: start, from: "`start`" },
    ...nodes.flatMap(({ ir, outlet, failing }) =>
      leaving(`\`${ir.name}\``, [outlet, ...Object.values(failing)]),
    ),
    ...joins.flatMap(({ name, outlet, failing }) =>
      leaving(`\`${name}\``, [outlet, ...Object.values(failing)]),
    ),
    ...eaches.flatMap(({ ir, entry, then, failing }) =>
      leaving(`each ${ir.variable}`, [entry, then, ...Object.values(failing)]),
    ),
  ];
}

/** The same for the graphs that are called just now. */
function insideBlocks(
  { program, snapshot }: StartedRun,
  now: Program,
  change: Change,
  within: readonly string[],
): readonly Block[] {
  return [...snapshot.children.entries()].flatMap(([id, child]): readonly Block[] => {
    const run = snapshot.open.get(id);
    const node = program.nodes[run?.node ?? -1]?.ir.name ?? "";
    const called = now.nodes[run?.node ?? -1];
    if (called?.called === undefined || called.isGone === true) return [];
    const next = called.called.program(child.snapshot.input);
    if ("class" in next) return [{ why: next.message }];
    const inside = { program: child.program, snapshot: child.snapshot };
    const ofCalled = { ...change, before: child.program.ir, after: next.ir };
    return placeBlocks(inside, next, ofCalled, [...within, node]);
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(withoutSpans(one ?? null)) === canonicalJson(withoutSpans(other ?? null));
}

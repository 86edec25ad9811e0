/** Numbers an edited program as the log of its run does, so that the whole log folds with it. */
import type { CalledIr, FieldIr, Ir } from "../../dsl/index.ts";
import { link } from "../scheduler/program/link.ts";
import type { NumberedIr } from "../scheduler/program/numbering.ts";
import { type GoneParts, goneNodes, readOnly, withEdges } from "./gone-nodes.ts";
import { goneWait, goneWaits, sameFlow } from "./same-flow.ts";
import { isSameShape } from "./same-shape.ts";

/** By the names of nodes and fields: which one of the new program one of the old one is now. */
export type RenamedParts = Readonly<Record<string, string>>;

/** Aligns the numbers of a program with those of the log: removed nodes keep theirs without arrows, new ones come last. */
export function aligned(
  before: NumberedIr,
  after: Ir,
  renamed: RenamedParts,
  wasActive: (node: string) => boolean,
): NumberedIr {
  const graphs = alignedGraphs(before, after, renamed);
  const own = alignedOne(before, after, renamed, wasActive);
  const { gone = [] } = own;
  const keptCalls = (before.calls ?? []).filter(
    ({ name }) => gone.length > 0 && !(after.calls ?? []).some((call) => call.name === name),
  );
  const calls = [...(after.calls ?? []), ...keptCalls];
  return {
    ...own,
    ...(calls.length === 0 ? {} : { calls }),
    ...(graphs.length === 0 ? {} : { graphs }),
  };
}

/** Graphs that nothing calls any more are still in the log. */
function alignedGraphs(before: Ir, after: Ir, renamed: RenamedParts): readonly CalledIr[] {
  const known = before.graphs ?? [];
  const now = (after.graphs ?? []).map((graph): CalledIr => {
    const was = known.find(({ name }) => name === graph.name);
    return was === undefined ? graph : alignedOne(was, graph, renamed, () => true);
  });
  const left = known.filter(({ name }) => !now.some((graph) => graph.name === name));
  return [...now, ...left.map(readOnly)];
}

function alignedOne(
  before: NumberedIr,
  after: Ir,
  renamed: RenamedParts,
  wasActive: (node: string) => boolean,
): NumberedIr {
  if (isSameShape(withoutGraphs(before), withoutGraphs(after))) return carried(before, after);
  const nowCalled = namingIn(before.nodes, after.nodes, renamed);
  const gone = goneNodes(before, after, nowCalled);
  const program = link(before);
  const named = withNodes(after, gone);
  // Waits that are gone are nodes then: those of a text have no name of their own.
  const waits = goneWaits({ before: program, after: link(named), nowCalled }).map(
    ({ ir, index }) => ({ ...ir, name: goneWait(ir.name, index) }),
  );
  const whole = withNodes(named, { nodes: waits, edges: new Map() });
  const pair = { before: program, after: link(whole), nowCalled };
  const active = (node: number) => wasActive(program.nodes[node]?.ir.name ?? "");
  return { ...whole, ...fieldsIn(before, after, renamed), numbers: sameFlow(pair, active) };
}

function withoutGraphs({ graphs: _, ...ir }: Ir): Ir {
  return ir;
}

/** A program of the same shape has the same numbers. */
function carried({ numbers, gone, fieldNames, added }: NumberedIr, after: Ir): NumberedIr {
  return {
    ...after,
    ...(numbers === undefined ? {} : { numbers }),
    ...(gone === undefined ? {} : { gone }),
    ...(fieldNames === undefined ? {} : { fieldNames }),
    ...(added === undefined ? {} : { added }),
  };
}

function withNodes(after: NumberedIr, { nodes, edges }: GoneParts): NumberedIr {
  if (nodes.length === 0) return after;
  return {
    ...after,
    nodes: [...after.nodes, ...nodes],
    edges: withEdges(after.edges, edges),
    gone: [...(after.gone ?? []), ...nodes.map(({ name }) => name)],
  };
}

interface NamedPart {
  readonly name: string;
}

/** Pairs names of two programs; an equal name stays the same whatever `renamed` says of it. */
export function namingIn(
  before: readonly NamedPart[],
  after: readonly NamedPart[],
  renamed: RenamedParts,
): (name: string) => string {
  const known = new Set(before.map(({ name }) => name));
  const there = new Set(after.map(({ name }) => name));
  return (name) => {
    const now = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
    return now !== undefined && known.has(name) && there.has(now) ? now : name;
  };
}

/** Fields that are gone stay in the state: what was written there was written. */
function fieldsIn(
  before: NumberedIr,
  after: Ir,
  renamed: RenamedParts,
): Pick<NumberedIr, "fields" | "fieldNames" | "added"> {
  const nowCalled = namingIn(before.fields, after.fields, renamed);
  const now = new Set(after.fields.map(({ name }) => name));
  const gone = before.fields.filter(({ name }) => !now.has(nowCalled(name)));
  const former = before.fields.flatMap(({ name }) => {
    const names = [...(before.fieldNames?.[name] ?? []), name].filter(
      (known) => known !== nowCalled(name),
    );
    return names.length === 0 ? [] : [[nowCalled(name), names] as const];
  });
  const added = Object.entries(before.added ?? {}).map(([name, value]) => [nowCalled(name), value]);
  return {
    fields: [...after.fields, ...gone.map(withoutDefault)],
    ...(former.length === 0 ? {} : { fieldNames: Object.fromEntries(former) }),
    ...(added.length === 0 ? {} : { added: Object.fromEntries(added) }),
  };
}

/** It may name what only the program before had. */
function withoutDefault({ default: _, ...field }: FieldIr): FieldIr {
  return { ...field, optional: true };
}

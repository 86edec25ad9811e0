/** Compares the declarations of a changed program with what a log needs: names, parameters, fields, called graphs. */
import {
  type CalledIr,
  canonicalJson,
  type FieldIr,
  type Ir,
  isGraph,
  type NodeIr,
  PLAN_GRAPH,
  planGraph,
  toJsonSchema,
  withoutSpans,
} from "../../dsl/index.ts";
import { stateOf } from "../history/state-of.ts";
import type { LogRecord, RecordBody } from "../records/records.ts";
import { viewOf } from "../scheduler/frames.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";
import { namingIn, type RenamedParts } from "./aligned.ts";
import type { Block, Change } from "./program-change.ts";
import { isSameShape } from "./same-shape.ts";

/** Reports statements about names that are not true of the programs. */
export function nameBlocks({ before, after, renamed, dropped }: Change): readonly Block[] {
  const olds = [before, ...(before.graphs ?? [])];
  const news = [after, ...(after.graphs ?? [])];
  const isIn = (list: readonly CalledIr[], name: string) =>
    list.some(({ nodes, fields }) => [...nodes, ...fields].some((one) => one.name === name));
  const pairs = Object.entries(renamed);
  const twice = pairs.filter(([old, now]) =>
    pairs.some(([other, one]) => one === now && other !== old),
  );
  return [
    ...pairs.flatMap(([old, now]) =>
      isIn(olds, old)
        ? isIn(news, now)
          ? []
          : [{ why: `nothing is called \`${now}\` now` }]
        : [{ why: `nothing was called \`${old}\`` }],
    ),
    ...twice.map(([, now]) => ({ why: `\`${now}\` can't be two of before` })),
    ...dropped.flatMap((name) => {
      if (!olds.some(({ nodes }) => nodes.some((one) => one.name === name)))
        return [{ why: `no node was called \`${name}\`, which was to be dropped` }];
      return after.nodes.some((one) => one.name === name) &&
        before.nodes.some((one) => one.name === name)
        ? [{ why: `\`${name}\` was to be dropped, and is still there` }]
        : [];
    }),
  ];
}

/** Reports changes of parameters and fields by which the values of the log would mean something else. */
export function declarationBlocks(before: Ir, after: Ir, renamed: RenamedParts): readonly Block[] {
  const own = ofOne(before, after, renamed);
  const called = (after.graphs ?? []).flatMap((graph) => {
    const was = before.graphs?.find(({ name }) => name === graph.name);
    const blocks = was === undefined ? [] : ofOne(was, graph, renamed);
    return blocks.map((block) => ({ ...block, why: `${block.why} (of \`${graph.name}\`)` }));
  });
  return [...own, ...called];
}

function ofOne(before: CalledIr, after: CalledIr, renamed: RenamedParts): readonly Block[] {
  const nowCalled = namingIn(before.fields, after.fields, renamed);
  const fields = before.fields.flatMap((field): readonly Block[] => {
    const name = nowCalled(field.name);
    const now = after.fields.find((one) => one.name === name);
    if (now === undefined) return [];
    if (now.scope !== field.scope || nowOwner(field, before, after, renamed) !== now.owner)
      return [{ why: `field \`${name}\` belongs to something else now` }];
    return isSame(field.reducer, now.reducer)
      ? []
      : [
          {
            why: `field \`${name}\` has another reducer: \`${now.reducer.name}\` instead of \`${field.reducer.name}\``,
          },
        ];
  });
  const olds = new Set(before.fields.map(({ name }) => name));
  const reused = after.fields.flatMap(({ name }): readonly Block[] =>
    olds.has(name) && nowCalled(name) !== name
      ? [{ why: `field \`${name}\` is another one than the one that was called so` }]
      : [],
  );
  const gone = before.fields.filter(
    ({ name }) => !after.fields.some((one) => one.name === nowCalled(name)),
  );
  const kept = gone.flatMap(({ name, scope }): readonly Block[] =>
    scope === "run" || scope === "agent" || scope === "item"
      ? []
      : [{ why: `field \`${name}\` of the ${scope} is gone`, isForceable: true }],
  );
  const params = isSame(before.params, after.params) ? [] : [{ why: "its parameters are others" }];
  return [...params, ...fields, ...reused, ...kept];
}

function nowOwner({ owner }: FieldIr, before: CalledIr, after: CalledIr, renamed: RenamedParts) {
  return owner === undefined ? undefined : namingIn(before.nodes, after.nodes, renamed)(owner);
}

/** A node that has called a graph must call the same one, and plans must become the same graphs. */
export function callBlocks(
  records: readonly LogRecord[],
  { before, after, renamed }: Change,
): readonly Block[] {
  const nowCalled = namingIn(before.nodes, after.nodes, renamed);
  const called = calledNodes(records);
  return before.nodes.flatMap((node): readonly Block[] => {
    const inputs = called.get(node.name);
    const now = after.nodes.find(({ name }) => name === nowCalled(node.name));
    if (inputs === undefined || now === undefined) return [];
    if (calleeIn(node) !== calleeIn(now))
      return [
        {
          why: `\`${now.name}\` has called \`${calleeIn(node)}\`, and calls something else now: give the new node another name`,
        },
      ];
    if (calleeIn(node) !== PLAN_GRAPH || inputs.every((input) => isSamePlan(before, after, input)))
      return [];
    return [{ why: `the plan that \`${now.name}\` runs becomes another graph now` }];
  });
}

type Inputs = Map<string, Readonly<Record<string, unknown>>[]>;

/** By the node of the run itself: what it has called a graph with. */
function calledNodes(records: readonly LogRecord[]): Inputs {
  const nodes = new Map<number, string>();
  const inputs: Inputs = new Map();
  for (const record of records) {
    if (record.kind === "start") nodes.set(record.id, record.node);
    if (record.kind === "control" && record.verb === "rewind") {
      for (const { from, id } of record.renumbered) nodes.set(id, nodes.get(from) ?? "");
    }
    const begun = record.kind === "sub" ? beginning(record.record) : undefined;
    const node = record.kind === "sub" ? nodes.get(record.id) : undefined;
    if (begun === undefined || node === undefined) continue;
    inputs.set(node, [...(inputs.get(node) ?? []), begun.input]);
  }
  return inputs;
}

function beginning(record: RecordBody) {
  return record.kind === "run" ? record : undefined;
}

function calleeIn({ kind, call }: NodeIr): string | undefined {
  return kind === "graph" ? call?.callee.join(".") : undefined;
}

function isSamePlan(
  before: Ir,
  after: Ir,
  { plan, done }: Readonly<Record<string, unknown>>,
): boolean {
  const [then, now] = [before, after].map((ir) => planGraph(ir, plan, done as undefined));
  if (then === undefined || now === undefined || !isGraph(then) || !isGraph(now)) return false;
  return isSameShape(then, now);
}

interface DeclaredComparison {
  readonly program: Program;
  readonly snapshot: Snapshot;
}

/** Folded with the new program, its fields must have the values that they had, and those must fit their types. */
export function stateBlocks(
  then: DeclaredComparison,
  now: DeclaredComparison,
  { before, after, renamed }: Change,
): readonly Block[] {
  const nowCalled = namingIn(before.fields, after.fields, renamed);
  const types = new Map(after.types.map(({ name, type }) => [name, type]));
  const state = {
    before: stateOf(then.program, then.snapshot)(),
    after: stateOf(now.program, now.snapshot)(),
  };
  return before.fields.flatMap((field): readonly Block[] => {
    const name = nowCalled(field.name);
    const declared = after.fields.find((one) => one.name === name);
    if (declared === undefined) return [];
    const values = [state.before[field.name], ...viewsOf(then, field.name)].filter(
      (value) => value !== undefined,
    );
    if (!isSame(state.before[field.name] ?? null, state.after[name] ?? null))
      return [{ why: `field \`${name}\` would have another value` }];
    if (isSame(field.type, declared.type) && isSame(before.types, after.types)) return [];
    const { schema } = toJsonSchema(declared.type, types);
    const [misfit] = schema === undefined ? [] : values.flatMap((value) => misfits(value, schema));
    return misfit === undefined
      ? []
      : [
          {
            why: `field \`${name}\` holds what its type has no place for any more: ${describeMisfit(misfit)}`,
          },
        ];
  });
}

/** Returns the values of a field that branches under way see. */
function viewsOf({ program, snapshot }: DeclaredComparison, field: string): readonly unknown[] {
  const index = program.fieldNumbers.get(field) ?? -1;
  return [...snapshot.frames.values()].map(({ id }) => viewOf(snapshot, id, index));
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(withoutSpans(one ?? null)) === canonicalJson(withoutSpans(other ?? null));
}

/** Decides whether a run can continue with a changed program, and lists what prevents it. */

import type { Ir } from "../../dsl/index.ts";
import { messageOf } from "../failure.ts";
import { lastProgram } from "../history/same-text.ts";
import type { LogRecord } from "../records/records.ts";
import type { ResumeOptions } from "../run/handle.ts";
import { otherShape } from "../run/run-errors.ts";
import { foldLog } from "../scheduler/fold.ts";
import { link } from "../scheduler/program/link.ts";
import type { NumberedIr } from "../scheduler/program/numbering.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { RunMeta } from "../store/run-store.ts";
import { withAdded } from "./added-fields.ts";
import { aligned } from "./aligned.ts";
import { callBlocks, declarationBlocks, nameBlocks, stateBlocks } from "./fitting-declared.ts";
import { placeBlocks } from "./fitting-places.ts";
import type { Block, Change } from "./program-change.ts";
import { isSameShape } from "./same-shape.ts";

export interface Fitted {
  /** The program that it goes on with. */
  readonly ir: Ir;
  /** One line for each thing that keeps it from that. */
  readonly blocks: readonly string[];
}

/** Looks at what the log has come to, with the one program and with the other. */
export function fitted(records: readonly LogRecord[], change: Change): Fitted {
  const { before, after, renamed } = change;
  const program = link(before);
  const then = foldLog(program, records);
  const isActive = (node: string) =>
    then.ordinals.get(program.nodeNumbers.get(node) ?? -1) !== undefined;
  const ir = aligned(before, after, renamed, isActive);
  if (isSameShape(before, after)) return { ir, blocks: [] };
  const early = [
    ...nameBlocks(change),
    ...declarationBlocks(before, after, renamed),
    ...callBlocks(records, change),
  ];
  if (early.length > 0) return { ir, blocks: leftOf(early, change) };
  const added = withAdded({ before, ir, then });
  if ("blocks" in added) return { ir, blocks: added.blocks.map(({ why }) => why) };
  return {
    ir: added.ir,
    blocks: leftOf(laterBlocks(records, change, { program, then, ir: added.ir }), change),
  };
}

/** The program of a run that is told to go on with another graph; throws M5302. */
export function fittedGraph(
  meta: RunMeta,
  {
    records,
    change,
  }: {
    readonly records: readonly LogRecord[];
    readonly change: ResumeOptions & { readonly graph: { readonly ir: Ir } };
  },
): Ir {
  const { graph, renamed = {}, dropped = [], isForced = false } = change;
  const before = lastProgram(records) ?? meta.ir;
  const { ir, blocks } = fitted(records, { before, after: graph.ir, renamed, dropped, isForced });
  if (blocks.length > 0) throw otherShape(meta, blocks);
  return ir;
}

interface ProgramComparison {
  readonly program: Program;
  readonly then: Snapshot;
  readonly ir: NumberedIr;
}

function laterBlocks(
  records: readonly LogRecord[],
  change: Change,
  { program, then, ir }: ProgramComparison,
): readonly Block[] {
  const now = link(ir);
  const places = placeBlocks({ program, snapshot: then }, now, change);
  if (places.some(({ isForceable }) => isForceable === undefined)) return places;
  try {
    const snapshot = foldLog(now, records);
    return [
      ...places,
      ...stateBlocks({ program, snapshot: then }, { program: now, snapshot }, change),
    ];
  } catch (error) {
    return [...places, { why: `its log can't be read with it (${messageOf(error)})` }];
  }
}

function leftOf(blocks: readonly Block[], { isForced }: Change): readonly string[] {
  const left = isForced ? blocks.filter(({ isForceable }) => isForceable !== true) : blocks;
  return [...new Set(left.map(({ why }) => why))];
}

import type { Code } from "../codes.ts";
import type { Finding } from "../diagnostic.ts";
import type { Ir } from "../ir.ts";
import type { GraphSymbols } from "../symbols.ts";
import { checkFlows } from "./check-flow.ts";
import { checkNodes } from "./check-node.ts";
import { checkConcurrentWriters } from "./concurrent-writers.ts";
import type { GraphCheck } from "./context.ts";
import { checkCycles } from "./cycles.ts";
import { duplicatesInGraph } from "./duplicates.ts";
import { checkHeader } from "./header.ts";
import { checkOutputs } from "./outputs.ts";
import { overlapOf } from "./overlap.ts";
import { placesOf } from "./places.ts";
import { checkRacingReads } from "./racing-reads.ts";
import { checkReachable } from "./reachable.ts";
import { checkShape } from "./shape.ts";
import { checkUnused } from "./unused.ts";
import { checkUnwritten } from "./unwritten.ts";

/** Faults after which the shape of the flow is not what was meant: what a look at it finds would only follow from them. */
const SHAPELESS: readonly Code[] = ["M2001", "M2101", "M3203", "M3204", "M3213"];

export interface GraphState {
  /** The parser left something out of this graph. */
  readonly isBroken: boolean;
}

/** Checks one graph: first its names, then, if they hold, its flow, then, if nothing is wrong, what is of no use. */
export function checkGraph(
  symbols: GraphSymbols,
  ir: Ir,
  { isBroken }: GraphState,
): readonly Finding[] {
  const findings: Finding[] = [...duplicatesInGraph(symbols.graph)];
  const check: GraphCheck = { symbols, report: (finding) => findings.push(finding) };
  checkHeader(check);
  checkNodes(check);
  checkFlows(check);
  if (findings.every((finding) => finding.code !== "M2104")) checkOutputs(ir, check);
  if (isBroken || findings.some((finding) => SHAPELESS.includes(finding.code))) return findings;
  checkFlowShape(ir, check);
  if (findings.every((finding) => !hidesUse(finding))) checkUnused(ir, check);
  return findings;
}

/** Whether what seems unused may only be so because of this finding: an error, or a hole that is read as mere text. */
export function hidesUse({ severity = "error", code }: Finding): boolean {
  return severity === "error" || code === "M2302";
}

function checkFlowShape(ir: Ir, check: GraphCheck): void {
  const places = placesOf(ir);
  const overlap = overlapOf(places);
  checkShape(ir, overlap, check);
  checkReachable(ir, places, check);
  checkCycles(ir, places, check);
  checkConcurrentWriters(ir, overlap, check);
  checkUnwritten(ir, places, check);
  checkRacingReads(ir, overlap, check);
}

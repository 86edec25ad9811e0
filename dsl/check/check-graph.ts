/** Runs the checks of one graph: names, then flow, then unused declarations. */
import type { Code } from "../codes.ts";
import type { Finding } from "../diagnostics/diagnostic.ts";
import type { Ir } from "../ir/ir.ts";
import { clausesOf, ownClauses } from "../lower/clauses.ts";
import { nodeScope } from "../names/scope.ts";
import type { GraphSymbols } from "../names/symbol-tables.ts";
import { declaredNodes } from "../names/symbols.ts";
import type { Check } from "./checks.ts";
import { overlapOf } from "./concurrency/overlap.ts";
import type { GraphCheck } from "./context.ts";
import { hopsOf } from "./flow/hops.ts";
import { placesOf } from "./flow/places.ts";
import { listedIn, readingOf } from "./state/reading.ts";
import { readsOf } from "./state/reads.ts";
import { writersOf } from "./state/writers.ts";
import type { Surroundings } from "./surroundings.ts";

/** Faults after which the shape of the flow is not what was meant: what a look at it finds would only follow from them. */
const SHAPELESS: readonly Code[] = ["M2001", "M2101", "M3203", "M3204", "M3213"];

export interface GraphToCheck {
  readonly symbols: GraphSymbols;
  readonly ir: Ir;
  readonly surroundings: Surroundings;
  /** The parser left something out of this graph. */
  readonly isBroken: boolean;
}

/** Checks one graph: first its names, then, if they hold, its flow, then, if nothing is wrong, what is of no use. */
export function checkGraph(graph: GraphToCheck, checks: readonly Check[]): readonly Finding[] {
  const { symbols, ir, surroundings, isBroken } = graph;
  const findings: Finding[] = [];
  const report = (finding: Finding) => findings.push(finding);
  const check: GraphCheck = { symbols, ir, surroundings, hops: hopsOf(symbols), report };
  checkNames(check, { checks, findings });
  if (isBroken || findings.some((finding) => SHAPELESS.includes(finding.code))) return findings;
  const places = placesOf(ir);
  const [writers, reads] = [writersOf(check), readsOf(ir)];
  const flow = { ...check, places, overlap: overlapOf(places), writers, reads };
  for (const one of checks) if (one.stage === "flow" && !isMoot(one, findings)) one.run(flow);
  if (findings.some(hidesUse)) return findings;
  const sound = { ...flow, reading: readingOf(ir), listed: listedIn(ir) };
  for (const one of checks) if (one.stage === "use") one.run(sound);
  return findings;
}

interface Progress {
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
}

function checkNames(check: GraphCheck, { checks, findings }: Progress): void {
  const { symbols } = check;
  const nodes = declaredNodes(symbols.graph).map((node) => ({
    ...check,
    node,
    scope: nodeScope(symbols, node),
    own: ownClauses(node),
    clauses: clausesOf(node, symbols),
  }));
  for (const one of checks) {
    if (isMoot(one, findings)) continue;
    if (one.stage === "names") one.run(check);
    if (one.stage === "node")
      for (const each of nodes) if (one.of.includes(each.node.word)) one.run(each);
  }
}

function isMoot({ unless }: Check, findings: readonly Finding[]): boolean {
  return unless !== undefined && findings.some((finding) => unless.includes(finding.code));
}

/**
 * Returns whether something may seem unused only because of this finding: an error, or a hole that
 * is read as plain text.
 */
export function hidesUse({ severity = "error", code }: Finding): boolean {
  return severity === "error" || code === "M2302";
}

/** Reports `start` and `end` in places where they can't stand. */
import type { FlowDecl, HopAst, Name, RefAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";
import type { Report } from "../report.ts";
import { flowsOf } from "./hops.ts";

/** Reports a node that is called `start` or `end`. */
export function checkReservedName({ node, report }: NodeCheck): void {
  const { text } = node.name;
  if (text !== "start" && text !== "end") return;
  reportEnds(
    node.name,
    `\`${text}\` is where every graph ${text}s, and can't be a node`,
    "choose another name",
    report,
  );
}

/** `start` is only left, `end` is only arrived at, and neither is one of several. */
export function checkEnds({ symbols, hops, report }: GraphCheck): void {
  for (const flow of flowsOf(symbols, hops)) checkSources(flow, report);
  for (const { hop, next } of hops) {
    if (hop.kind === "each") for (const flow of hop.flows) checkInnerSources(flow, report);
    if (hop.kind !== "one-of" && hop.kind !== "all-of") continue;
    for (const ref of hop.refs) checkRef(ref, hop.kind, report);
    if (next !== undefined && hop.refs.every((ref) => ref.node.text === "end"))
      reportEnds(hop.refs[0]?.node ?? hop, NOTHING_FOLLOWS, LEAVE_NOTHING, report);
  }
}

const NOTHING_FOLLOWS = "`end` is where a path ends: nothing follows it";
const LEAVE_NOTHING = "remove the arrow behind `end`, or name a node in its place";

function checkSources({ source }: FlowDecl, report: Report): void {
  for (const node of source.nodes)
    if (node.text === "end") reportEnds(node, NOTHING_FOLLOWS, LEAVE_NOTHING, report);
    else if (node.text === "start" && source.kind === "join")
      reportEnds(
        node,
        "`start` has always arrived, so it can't be waited for",
        "remove it from the `[ ]`",
        report,
      );
}

function checkInnerSources({ source }: FlowDecl, report: Report): void {
  for (const node of source.nodes)
    if (node.text === "start" && source.kind === "any")
      reportEnds(
        node,
        "a run starts once, not for each item",
        "the first line of the body is where each item begins: write it there, without `start ->`",
        report,
      );
}

function checkRef({ node, args }: RefAst, kind: HopAst["kind"], report: Report): void {
  if (node.text === "start")
    reportEnds(node, "nothing leads back to `start`", "name the first node instead", report);
  if (node.text !== "end") return;
  if (kind === "all-of")
    reportEnds(
      node,
      "`end` starts nothing, so it can't be one of several that start",
      "remove it from the `[ ]`",
      report,
    );
  else if (args.length > 0)
    reportEnds(node, "`end` takes no arguments", "write `end` alone", report);
}

function reportEnds(at: Pick<Name, "span">, message: string, hint: string, report: Report): void {
  report({ code: "M3203", message, span: at.span, hint });
}

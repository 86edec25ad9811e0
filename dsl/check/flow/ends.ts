/** Reports `start`, `end` and `return` in places where they can't stand. */
import { isNodeTarget, RETURN } from "../../ir/targets-in.ts";
import type { FlowDecl, HopAst, Name, RefAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";
import type { Report } from "../report.ts";
import { flowsOf } from "./hops.ts";

/** Reports a node that is called `start`, `end` or `return`. */
export function checkReservedName({ node, report }: NodeCheck): void {
  const { text } = node.name;
  if (text !== "start" && isNodeTarget(text)) return;
  reportEnds(
    node.name,
    text === RETURN
      ? "`return` leads back to who handed over, and can't be a node"
      : `\`${text}\` is where every graph ${text}s, and can't be a node`,
    "choose another name",
    report,
  );
}

/** `start` is only left, `end` and `return` are only arrived at, and none is one of several. */
export function checkEnds({ symbols, hops, report }: GraphCheck): void {
  for (const flow of flowsOf(symbols, hops)) checkSources(flow, report);
  for (const { hop, next } of hops) {
    if (hop.kind === "each") for (const flow of hop.flows) checkInnerSources(flow, report);
    if (hop.kind !== "one-of" && hop.kind !== "all-of") continue;
    for (const ref of hop.refs) checkRef(ref, hop.kind, report);
    const [first] = hop.refs;
    if (next !== undefined && first && hop.refs.every(({ node }) => !isNodeTarget(node.text)))
      reportNothingFollows(first.node, report);
  }
}

function reportNothingFollows(at: Name, report: Report): void {
  const why = at.text === RETURN ? "leads back to who handed over" : "is where a path ends";
  const hint = `remove the arrow behind \`${at.text}\`, or name a node in its place`;
  reportEnds(at, `\`${at.text}\` ${why}: nothing follows it`, hint, report);
}

function checkSources({ source }: FlowDecl, report: Report): void {
  for (const node of source.nodes)
    if (!isNodeTarget(node.text)) reportNothingFollows(node, report);
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
  const { text } = node;
  if (isNodeTarget(text)) return;
  if (kind === "all-of")
    reportEnds(
      node,
      text === RETURN
        ? "`return` leads back to one node, so it can't be one of several that start"
        : "`end` starts nothing, so it can't be one of several that start",
      "remove it from the `[ ]`",
      report,
    );
  else if (args.length > 0)
    reportEnds(node, `\`${text}\` takes no arguments`, `write \`${text}\` alone`, report);
}

function reportEnds(at: Pick<Name, "span">, message: string, hint: string, report: Report): void {
  report({ code: "M3203", message, span: at.span, hint });
}

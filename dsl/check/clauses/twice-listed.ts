/** Warns of names that stand twice in one list. */
import { dottedText } from "../../lower/lower-type.ts";
import type { Clause, GraphItem, Name } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import { flowsOf } from "../flow/hops.ts";
import type { Report } from "../report.ts";
import { allClauses } from "./all-clauses.ts";

/** Warns of a name that stands twice in one list: the second one changes nothing. */
export function checkTwiceListed({ symbols, hops, report }: GraphCheck): void {
  const targets = hops.flatMap(({ hop }) =>
    hop.kind === "one-of" ? [hop.refs.map((ref) => ref.node)] : [],
  );
  const lists = [
    ...symbols.graph.items.flatMap(inItem),
    ...flowsOf(symbols, hops).map(({ source }) => source.nodes),
    ...targets,
    ...allClauses(symbols).flatMap(inClause),
  ];
  for (const list of lists) reportTwice(list, report);
}

function reportTwice(list: Names, report: Report): void {
  const first = new Map<string, Name>();
  for (const name of list) {
    const before = first.get(name.text);
    if (before === undefined) first.set(name.text, name);
    else
      report({
        code: "M2003",
        severity: "warning",
        message: `\`${name.text}\` is already in this list`,
        span: name.span,
        hint: "remove one of the two",
        related: [{ span: before.span, message: "the first one" }],
      });
  }
}

type Names = readonly Name[];

function inItem(item: GraphItem): readonly Names[] {
  return item.kind === "approve" || item.kind === "break" ? [item.nodes] : [];
}

function inClause(clause: Clause): readonly Names[] {
  switch (clause.kind) {
    case "tools":
      return [clause.tools.map((tool) => ({ text: dottedText(tool), span: tool.span }))];
    case "reads":
    case "edits":
      return [clause.fields];
    case "tell":
      return [clause.targets];
    case "retry":
      return clause.rules.map((rule) => rule.on);
    case "writes":
      // Two parts of one output may well go into one field.
      return [clause.writes.flatMap(({ field, value }) => (value === undefined ? [field] : []))];
    default:
      return [];
  }
}

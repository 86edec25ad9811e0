/** Reports quorums (`need n`) that can never be reached, or that nothing has to reach. */
import type { Span } from "../../diagnostics/source.ts";
import type { FlowDecl } from "../../syntax/tree/ast.ts";
import type { FlowCheck } from "../context.ts";
import { flowsOf } from "../flow/hops.ts";
import type { Report } from "../report.ts";
import { type ArriveTogether, arrivalsIn } from "./exclusive.ts";

/** Reports a quorum that can never be reached, and one that is reached before anything has happened. */
export function checkQuorums(check: FlowCheck): void {
  const { symbols, hops, report } = check;
  const arriveTogether = arrivalsIn(check);
  for (const flow of flowsOf(symbols, hops)) checkJoin(flow, arriveTogether, report);
  for (const { hop } of hops) {
    if (hop.kind !== "each" || hop.need?.kind !== "number") continue;
    const size = hop.items.kind === "list" ? hop.items.items.length : Number.POSITIVE_INFINITY;
    reportQuorum({ need: hop.need, size, what: "items" }, report);
  }
}

function checkJoin({ source }: FlowDecl, arriveTogether: ArriveTogether, report: Report): void {
  if (source.kind !== "join" || source.need?.kind !== "number") return;
  const names = [...new Set(source.nodes.map((node) => node.text))];
  const isOneOf = !arriveTogether(names);
  reportQuorum(
    {
      need: source.need,
      size: isOneOf ? 1 : names.length,
      what: isOneOf ? "of them, as each excludes the others" : "of them",
    },
    report,
  );
}

interface Quorum {
  readonly need: { readonly value: number; readonly span: Span };
  /** The number of nodes in the join. */
  readonly size: number;
  readonly what: string;
}

function reportQuorum({ need: { value, span }, size, what }: Quorum, report: Report): void {
  if (value >= 1 && value <= size) return;
  report({
    code: "M3220",
    message:
      value < 1
        ? `\`need ${value}\` waits for nothing`
        : `\`need ${value}\` can't be reached: there ${size === 1 ? "is" : "are"} ${size} ${what}`,
    span,
    hint: "say how many must arrive, or leave `need` out to wait for all",
  });
}

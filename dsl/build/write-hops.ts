/** Arrows as text. */
import type { ArrowOptions, ArrowSource, Branch, EachHop, Hop } from "./options.ts";
import { isList, writeAssigns, writeCount, writeFields } from "./write-value.ts";

/** Writes the source of an arrow as text. */
export function writeSource(source: ArrowSource<string>): string {
  if (typeof source === "string") return source;
  if (isList(source)) return writeAll(source);
  if ("any" in source) return source.any.join(" | ");
  const need = source.need === undefined ? "" : ` need ${writeCount(source.need)}`;
  return `${writeAll(source.join)}${need}`;
}

/** Hops with arrows between them. */
export function writeChain(hops: readonly Hop<string>[]): string {
  return hops.map(writeHop).join(" -> ");
}

/** Returns the number of hops in a chain, those inside of its braces too. */
export function hopCount(hops: readonly Hop<string>[]): number {
  return hops.reduce((count, hop) => count + 1 + hopCount(innerHops(hop)), 0);
}

function innerHops(hop: Hop<string>): readonly Hop<string>[] {
  if (typeof hop === "string" || isList(hop)) return [];
  if ("each" in hop)
    return [...chainOf(hop.body), ...(hop.arrows ?? []).flatMap(([, ...hops]) => hops)];
  const branches = "match" in hop ? hop.cases : "choice" in hop ? hop.choice : [];
  return branches.flatMap(([, ...hops]) => hops);
}

function writeHop(hop: Hop<string>): string {
  if (typeof hop === "string") return hop;
  if (isList(hop)) return writeAll(hop);
  if ("each" in hop) return writeEach(hop);
  return `${writeTarget(hop)}${writeArrow(hop)}`;
}

function writeTarget(
  hop: Exclude<Hop<string>, string | readonly string[] | EachHop<string>>,
): string {
  if ("to" in hop) return typeof hop.to === "string" ? hop.to : writeAll(hop.to);
  if ("oneOf" in hop) return hop.oneOf.join(" | ");
  if ("match" in hop) return `match ${hop.match} ${writeBranches(hop.cases)}`;
  return writeBranches(hop.choice);
}

function writeAll(refs: readonly string[]): string {
  return `[${refs.join(", ")}]`;
}

function writeBranches(branches: readonly Branch<string>[]): string {
  const lines = branches.map(([condition, ...hops]) => `    ${condition} -> ${writeChain(hops)}`);
  return `{\n${lines.join(",\n")}\n  }`;
}

function writeEach(hop: EachHop<string>): string {
  const { parallel, need, when, onError, body, arrow = {} } = hop;
  const options = [
    parallel === undefined ? "" : ` parallel ${writeCount(parallel)}`,
    need === undefined ? "" : ` need ${writeCount(need)}`,
    when === undefined ? "" : ` when ${when}`,
    onError === undefined ? "" : ` on error ${onError}`,
  ];
  const chain = writeChain(chainOf(body));
  const arrows = (hop.arrows ?? []).map(
    ([from, ...hops]) => `    ${writeSource(from)} -> ${writeChain(hops)}\n`,
  );
  const state =
    hop.state &&
    `    state {\n${writeFields(hop.state)
      .map((field) => `      ${field}\n`)
      .join("")}    }\n`;
  const isLine = state === undefined && arrows.length === 0;
  const inside = isLine ? ` ${chain} ` : `\n${state ?? ""}    ${chain}\n${arrows.join("")}  `;
  return `each ${hop.each} of ${hop.of}${options.join("")} {${inside}}${writeArrow(arrow)}`;
}

/** A list in the body of an `each` is a chain; all of several stand there as `{ to: ["a", "b"] }`. */
function chainOf(body: EachHop<string>["body"]): readonly Hop<string>[] {
  return isList(body) ? body : [body];
}

function writeArrow({ when, max, after, on, detached, set }: ArrowOptions): string {
  return [
    when === undefined ? "" : ` when ${when}`,
    max === undefined ? "" : ` max ${writeCount(max)}`,
    after === undefined ? "" : ` after ${after}`,
    on === undefined ? "" : ` on ${on}`,
    detached === undefined ? "" : " detached",
    set === undefined ? "" : ` set ${writeAssigns(set)}`,
  ].join("");
}

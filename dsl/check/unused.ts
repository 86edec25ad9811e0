import type { Finding } from "../diagnostic.ts";
import type { Ir } from "../ir.ts";
import { lowerType } from "../lower/lower-type.ts";
import { type References, referencesOf } from "../lower/references.ts";
import { declaredFields, declaredNodes } from "../symbols.ts";
import type { FileAst, Name } from "../syntax/ast.ts";
import { writersOf } from "./concurrent-writers.ts";
import type { GraphCheck } from "./context.ts";

/** Warns of what a file declares and no graph uses. A file without a graph declares for others, so nothing is unused. */
export function unusedInFile(ast: FileAst, graphs: readonly Ir[]): readonly Finding[] {
  if (graphs.length === 0) return [];
  const used = graphs.map(({ models, types, mcps, imports }) => ({ models, types, mcps, imports }));
  const isUsed = (name: Name) =>
    used.some(
      ({ models, types, mcps, imports }) =>
        [...models, ...types, ...mcps].some((each) => each.name === name.text) ||
        imports.some((each) => each.as === name.text),
    );
  const tested = new Set(ast.items.flatMap((item) => (item.kind === "test" ? [item.of.text] : [])));
  return ast.items.flatMap((item) => {
    switch (item.kind) {
      case "type":
        // What only an unused type uses follows from that one.
        return isUsed(item.name) || isInType(item.name, ast) ? [] : [unused(item.name, item.kind)];
      case "model":
      case "mcp":
        return isUsed(item.name) ? [] : [unused(item.name, item.kind)];
      case "import":
        return item.names
          .map(({ name, as }) => as ?? name)
          .filter((name) => !isUsed(name) && !tested.has(name.text))
          .map((name) => unused(name, "import"));
      default:
        return [];
    }
  });
}

function isInType(name: Name, ast: FileAst): boolean {
  const others = ast.items.filter((item) => item.kind === "type" && item.name !== name);
  return others.some(
    (item) => item.kind === "type" && referencesOf(lowerType(item.type)).types.has(name.text),
  );
}

/** Warns of what a graph declares and does not use. */
export function checkUnused(ir: Ir, check: GraphCheck): void {
  const { nodes, edges, approvals, breaks, endWhen, params, fields } = ir;
  const reading = referencesOf({
    nodes: nodes.map(withoutTargets),
    edges,
    approvals,
    breaks,
    endWhen,
    params,
    fields,
  });
  checkFields(ir, reading, check);
  for (const param of check.symbols.graph.params)
    if (
      !reading.names.has(param.name.text) &&
      !seesWholeState(reading) &&
      !isListed(param.name.text, ir)
    )
      check.report(unused(param.name, "parameter"));
  for (const node of declaredNodes(check.symbols.graph)) {
    const lowered = nodes.find((candidate) => candidate.name === node.name.text);
    const used = referencesOf({ ...lowered, params: [] }).names;
    for (const param of node.params)
      if (!used.has(param.name.text)) check.report(unused(param.name, "parameter"));
  }
}

function checkFields(ir: Ir, reading: References, check: GraphCheck): void {
  const written = new Set(writersOf(ir, check).map((writer) => writer.field));
  for (const { decl, owner } of declaredFields(check.symbols.graph)) {
    const name = decl.name.text;
    const isReturned = ir.returns.includes(name);
    const isRead = reading.names.has(name) || isListed(name, ir) || seesWholeState(reading);
    const isWritten = written.has(name) || decl.value !== undefined;
    if (!isReturned && !isRead)
      check.report(
        warning(
          "M3208",
          decl.name,
          `\`${name}\` is never read`,
          "read it, return it, or take it out",
        ),
      );
    else if (!isWritten && owner === undefined && !decl.optional)
      check.report(
        warning(
          "M3206",
          decl.name,
          `nothing writes \`${name}\``,
          `write it in a node: \`writes ${name}\``,
        ),
      );
  }
}

/** A field that a node lists by name, in `reads` or `edits`. */
function isListed(name: string, { nodes, returns }: Ir): boolean {
  return (
    returns.includes(name) ||
    nodes.some((node) => node.reads?.includes(name) || node.edits.includes(name))
  );
}

/** `state` in an expression is the whole view. */
function seesWholeState(reading: References): boolean {
  return reading.names.has("state");
}

/** What a node writes is no use of the field. */
function withoutTargets(node: Ir["nodes"][number]): object {
  const { writes, sets, ...rest } = node;
  return { ...rest, values: [...writes, ...sets].map(({ value }) => value) };
}

function unused(name: Name, what: string): Finding {
  return warning(
    "M2301",
    name,
    `nothing uses the ${what} \`${name.text}\``,
    "use it, or take it out",
  );
}

function warning(code: Finding["code"], name: Name, message: string, hint: string): Finding {
  return { code, severity: "warning", message, span: name.span, hint };
}

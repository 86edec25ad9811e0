/** Checks what the descriptions of APIs say: whether they can be read, and whether they have the operations that nodes name. */
import type { DottedIr, Ir } from "../../ir/ir.ts";
import { lowerDotted } from "../../lower/lower-type.ts";
import { nearest } from "../../names/nearest.ts";
import type { DottedAst } from "../../syntax/tree/ast.ts";
import { readServer } from "../../vocabulary/servers.ts";
import type { FileCheck, NodeCheck } from "../context.ts";
import type { ApiReading, Effect, Surroundings } from "../surroundings.ts";

/** Reports descriptions of APIs that can't be read, with the place in them. */
export function checkApiDescriptions({ ast, path, surroundings, report }: FileCheck): void {
  for (const item of ast.items) {
    if (item.kind !== "mcp" || item.protocol === undefined || item.value.kind !== "string")
      continue;
    const { value, span } = item.value;
    const reading = value.trim() === "" ? undefined : surroundings.apis?.(value, path);
    if (reading === undefined || "operations" in reading) continue;
    const { fault, hint, at } = reading;
    const relatedInFiles = at === undefined ? {} : { relatedInFiles: [at] };
    report({ code: "M2125", message: fault, hint, span, ...relatedInFiles });
  }
}

/** Reports operations that the API of a tool does not have. */
export function checkApiOperations({ node, clauses, ir, surroundings, report }: NodeCheck): void {
  const tools = clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
  for (const tool of node.kind === "call" ? [...tools, node.callee] : tools) {
    const operations = operationsOf(tool, ir, surroundings);
    const [api = "", operation] = lowerDotted(tool);
    if (operations === undefined || operation === undefined || tool.star) continue;
    if (Object.hasOwn(operations, operation)) continue;
    const missing = describeMissingOperation(api, operation, Object.keys(operations));
    report({ code: "M2107", span: tool.span, ...missing });
  }
}

/** Says that an API has no such operation, and which one may be meant. */
export function describeMissingOperation(
  api: string,
  operation: string,
  operations: readonly string[],
): { readonly message: string; readonly hint: string } {
  const meant = nearest(operation, operations);
  const hint = meant === undefined ? `it has ${listed(operations)}` : `did you mean \`${meant}\`?`;
  return { message: `\`${api}\` has no operation \`${operation}\``, hint };
}

/** The effects of the operations that a tool of an API means, by dotted name; none for any other. */
export function operationEffects(
  tool: DottedAst,
  ir: Pick<Ir, "mcps" | "source">,
  surroundings: Surroundings,
): Readonly<Record<string, Effect>> {
  const [api = ""] = lowerDotted(tool);
  const operations = Object.entries(operationsOf(tool, ir, surroundings) ?? {});
  return Object.fromEntries(operations.map(([name, effect]) => [`${api}.${name}`, effect]));
}

function operationsOf(
  tool: DottedAst,
  { mcps, source }: Pick<Ir, "mcps" | "source">,
  { apis }: Surroundings,
): Extract<ApiReading, { readonly operations: unknown }>["operations"] | undefined {
  const [head]: DottedIr = lowerDotted(tool);
  const declared = mcps.find(({ name }) => name === head);
  const connection = declared && readServer(declared).server?.connection;
  if (connection?.kind !== "openapi") return undefined;
  const reading = apis?.(connection.description, source?.file ?? "");
  return reading !== undefined && "operations" in reading ? reading.operations : undefined;
}

const LISTED_MAX = 12;

function listed(names: readonly string[]): string {
  const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : "";
  return `${names.slice(0, LISTED_MAX).join(", ")}${more}`;
}

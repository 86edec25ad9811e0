/** Makes the role table of a graph: what each node is told, reads and writes. */
import { printArgs, printExpression } from "../print/print-expression.ts";
import { findByName } from "./find-by-name.ts";
import type { ExprIr, Ir, NodeIr, NodeKind } from "./ir.ts";

/**
 * The role of a node in its graph: the parts of its prompt, the fields that it sees, and those that
 * it changes, with the reducer.
 */
export interface NodeRole {
  readonly role: string;
  readonly kind: NodeKind;
  readonly description?: string;
  /** Its prompt or question, with the holes as they are written; for a call what is called. */
  readonly prompt?: string;
  readonly system?: string;
  /** The fields behind its `reads`, or else the fields and parameters in its prompt. */
  readonly reads: readonly string[];
  readonly writes: readonly RoleWrite[];
}

export interface RoleWrite {
  readonly field: string;
  /** `replace`, `append` and the like, or the name of a function. */
  readonly mode: string;
  readonly optional: boolean;
}

/** The role table of a graph, in the order of the text. */
export function rolesOf(ir: Ir): readonly NodeRole[] {
  return ir.nodes.map((node) => {
    const prompt = toldText(node);
    return {
      role: node.name,
      kind: node.kind,
      ...(node.description === undefined ? {} : { description: node.description }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(node.system === undefined ? {} : { system: promptText(node.system) }),
      reads: readsOfRole(node),
      writes: writesOfRole(node, ir),
    };
  });
}

function toldText({ prompt, ask, call }: NodeIr): string | undefined {
  const text = prompt ?? ask?.question;
  if (text !== undefined) return promptText(text);
  return call && `${call.callee.join(".")}${printArgs(call.args)}`;
}

function promptText(expr: ExprIr): string {
  if (expr.kind === "literal" && typeof expr.value === "string") return expr.value;
  if (expr.kind !== "template") return printExpression(expr);
  const parts = expr.parts.map((part) =>
    typeof part === "string" ? part : `\${${printExpression(part)}}`,
  );
  return parts.join("");
}

function readsOfRole({ reads, prompt, system, ask, context, call }: NodeIr): readonly string[] {
  return reads ?? [...new Set(namesIn([prompt, system, ask, context, call]))];
}

/** The fields and parameters of the graph that expressions name, and `state`, which is all of them. */
function namesIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(namesIn);
  if (typeof part !== "object" || part === null) return [];
  if (isName(part))
    return ["field", "param"].includes(part.of) || part.name === "state" ? [part.name] : [];
  return Object.values(part).flatMap(namesIn);
}

function isName(part: object): part is ExprIr & { readonly kind: "name" } {
  return "kind" in part && part.kind === "name" && "of" in part;
}

function writesOfRole(
  { writes, conversation = [], edits, sets }: NodeIr,
  { fields }: Ir,
): readonly RoleWrite[] {
  const modeOf = (name: string) => findByName(fields, name)?.reducer.name ?? "replace";
  return [
    ...writes.map(({ field, via, optional }) => ({
      field,
      mode: via?.name ?? modeOf(field),
      optional,
    })),
    ...conversation.map((field) => ({ field, mode: modeOf(field), optional: false })),
    ...edits.map((field) => ({ field, mode: "replace", optional: true })),
    ...sets.map(({ field, via }) => ({ field, mode: via?.name ?? modeOf(field), optional: false })),
  ];
}

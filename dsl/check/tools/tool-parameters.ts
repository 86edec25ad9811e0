/** Reports tools whose parameters no model can be told. */
import { lowerDotted } from "../../lower/lower-type.ts";
import type { NodeCheck } from "../context.ts";
import type { UntoldTool } from "../surroundings.ts";

/** A model that is given a tool must be told what it takes. */
export function checkToolParameters({ clauses, surroundings, report }: NodeCheck): void {
  const tools = clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
  for (const tool of tools) {
    const fault = surroundings.toolFault?.(lowerDotted(tool));
    if (fault === undefined) continue;
    report({ code: "M4109", span: tool.span, ...untoldText(fault) });
  }
}

/**
 * Returns the message and the hint about a tool without parameters for a model; used for texts, and
 * for runs whose scope has another tool.
 */
export function untoldText({ name, fault }: UntoldTool) {
  return {
    message: `no model can be told what \`${name}\` takes: ${fault}`,
    hint: 'give it an `input`, JSON Schema or a schema of zod: `tool(fn, { effect: "none", input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] } })`',
  };
}

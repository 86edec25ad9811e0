/** Reports tools of which a model is not told what they take, or what they are for. */
import { lowerDotted } from "../../lower/lower-type.ts";
import type { NodeCheck } from "../context.ts";
import type { UntoldTool } from "../surroundings.ts";

/** A model that is given a tool must be told what it takes. */
export function checkToolParameters({ clauses, surroundings, report }: NodeCheck): void {
  for (const tool of toolsIn(clauses)) {
    const fault = surroundings.toolFault?.(lowerDotted(tool));
    if (fault === undefined) continue;
    report({ code: "M4109", span: tool.span, ...untoldText(fault) });
  }
}

/** A model decides by a tool's description whether to call it. */
export function checkToolDescriptions({ clauses, surroundings, report }: NodeCheck): void {
  for (const tool of toolsIn(clauses)) {
    const name = surroundings.undescribed?.(lowerDotted(tool));
    if (name === undefined) continue;
    report({
      code: "M4113",
      severity: "warning",
      span: tool.span,
      message: `no model is told what \`${name}\` is for`,
      hint: "write a doc comment above its function, `/** Finds … */`, or a `description` in `tool(fn, { … })`",
    });
  }
}

function toolsIn(clauses: NodeCheck["clauses"]) {
  return clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
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

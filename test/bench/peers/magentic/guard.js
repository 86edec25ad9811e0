/** Tools whose calls a model explains, and which a person or a judge approves where the settings say so. */
import { tool } from "@langchain/core/tools";
import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { createRole } from "../role.js";
import { toolsOf } from "../tools-of.js";

const Consent = z.object({ decision: z.enum(["approve", "deny", "ask"]), reason: z.string() });
const text = { type: "string", description: "The reason for this call, for a person." };
const flag = { type: "boolean", description: "True where a person should approve this call." };

/** Returns a function from names of tools to tools under the guard of a desk. */
export function createGuard({ model, scope, approve }) {
  const judge = createRole({ llm: model("judge"), shape: Consent });

  async function isJudged(name, input, explanation) {
    const { decision, reason } = await judge({
      prompt: `May this call be made without a person? ${name} ${JSON.stringify(input)}\nIts reason: ${explanation}`,
    });
    return { isApproved: decision === "approve", isDenied: decision === "deny", reason };
  }

  async function refusalOf({ name, baseline, wanted, approval }, input, explanation) {
    const isPermitted = approval === "permissive" && wanted === false;
    const isAsked =
      approval === "always" ||
      (baseline === "always" && approval !== "never") ||
      (baseline === "maybe" && approval !== "never" && !isPermitted);
    if (!isAsked && baseline === "maybe" && approve === "conservative") {
      const { isApproved, isDenied, reason } = await isJudged(name, input, explanation);
      if (isApproved) return undefined;
      if (isDenied) return reason;
    } else if (!isAsked && (baseline === "never" || approve === undefined)) return undefined;
    const isGood = interrupt({ ask: `Allow ${name}?`, input, explanation });
    return isGood === true ? undefined : "a person refused it";
  }

  return (approval, ...names) =>
    toolsOf(scope, ...names).map((inner) => {
      const { name, description, schema, metadata } = inner;
      const { baseline } = metadata;
      const added = { explanation: text, ...(baseline === "maybe" && { require_approval: flag }) };
      const explained = {
        ...schema,
        properties: { ...schema.properties, ...added },
        required: [...(schema.required ?? []), ...Object.keys(added)],
      };
      const call = async ({ explanation, require_approval: wanted, ...input }) => {
        const asked = { name, baseline, wanted, approval };
        const refusal = await refusalOf(asked, input, explanation);
        if (refusal !== undefined) return `this call was not approved: ${refusal}`;
        return await inner.invoke(input);
      };
      return tool(call, { name, description, schema: explained });
    });
}

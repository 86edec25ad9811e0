/** Says what a tool of a server touches: what the server claims counts only where the program trusts it. */
import type { ToolAnnotations } from "@modelcontextprotocol/client";
import type { ToolOptions } from "../scope/tools.ts";

/** The effect of a tool, by which approvals, `effects` and resumed runs go. A tool that destroys something always needs consent where a `guard` asks. */
export function effectFrom(
  { readOnlyHint, openWorldHint, idempotentHint, destructiveHint }: ToolAnnotations = {},
  { isTrusted }: { readonly isTrusted: boolean },
): Pick<ToolOptions, "effect" | "idempotent" | "baseline"> {
  if (!isTrusted) return { effect: "external" };
  // A tool that reads from elsewhere tells its arguments there.
  if (readOnlyHint === true && openWorldHint === true)
    return { effect: "external", idempotent: true, baseline: "maybe" };
  if (readOnlyHint === true) return { effect: "none" };
  const baseline = destructiveHint === true ? ({ baseline: "always" } as const) : {};
  if (openWorldHint === false) return { effect: "workspace", ...baseline };
  return idempotentHint === true
    ? { effect: "external", idempotent: true }
    : { effect: "external" };
}

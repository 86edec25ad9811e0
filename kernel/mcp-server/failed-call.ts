/** Makes the result of a tool's call that failed. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Run } from "../../runtime/index.ts";

export function failed(text: string, run?: Run): CallToolResult {
  const where = run === undefined ? {} : { _meta: { "madrigal/run": run.id } };
  return { isError: true, content: [{ type: "text", text }], ...where };
}

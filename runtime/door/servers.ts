/** Groups for the door what people do with a server of tools before a run: log in and out. */

export type { DeclaredServer } from "../../dsl/index.ts";
export { logIn, logOut } from "../agents/mcp/log-in.ts";
export { declaredServer } from "../agents/mcp/mcp-servers.ts";
export { readApi } from "../agents/openapi/read-api.ts";

/** Groups for the door what people do with a server of tools before a run: log in and out. */

export type { DeclaredServer } from "../../dsl/index.ts";

import type { HttpServing, ServedHttp } from "../agents/mcp/serve-http.ts";

export { logIn, logOut } from "../agents/mcp/log-in.ts";
export { declaredServer } from "../agents/mcp/mcp-servers.ts";
export { readApi } from "../agents/openapi/read-api.ts";
export type { HttpServing };

/** Serves MCP over HTTP on this machine alone, for whoever has the token. */
export async function serveHttp(...of: ServedHttp): Promise<HttpServing> {
  return (await import("../agents/mcp/serve-http.ts")).serveHttp(...of);
}

/** Reads the requests of a server of this machine, and refuses strangers. */
export async function requestGuards() {
  const { isToken, refusedPlace, refusedToken, requestOf } = await import(
    "../agents/mcp/serve-http.ts"
  );
  return { isToken, refusedPlace, refusedToken, requestOf };
}

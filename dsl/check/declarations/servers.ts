/** Checks the `mcp` and `openapi` declarations of a file as far as the text alone says their values. */
import { lowerMcp } from "../../lower/lower-declarations.ts";
import { serverCall } from "../../lower/server-call.ts";
import { flowScope } from "../../names/scope.ts";
import { graphSymbols, NO_GRAPH } from "../../names/symbols.ts";
import type { McpDecl } from "../../syntax/tree/ast.ts";
import { isServerAddress, readServer } from "../../vocabulary/servers.ts";
import type { FileCheck } from "../context.ts";

/** Reports commands, addresses, descriptions and settings of servers that can't be right. */
export function checkServers({ ast, file, report }: FileCheck): void {
  const scope = flowScope(graphSymbols(file, NO_GRAPH));
  for (const item of ast.items) {
    if (item.kind !== "mcp") continue;
    const misplaced = callFault(item);
    if (misplaced !== undefined) {
      report({ code: "M2124", ...misplaced, span: item.value.span });
      continue;
    }
    const address = item.protocol === undefined ? serverCall(item.value).address : item.value;
    if (address.kind !== "string") continue;
    const { fault } = readServer(lowerMcp(item, scope));
    if (fault === undefined) continue;
    const { setting, message, hint } = fault;
    const entry = item.options?.entries.find(({ key }) => key.text === setting);
    report({ code: "M2124", message, hint, span: entry?.key.span ?? item.value.span });
  }
}

/** The fault of `stdio(…)` or `http(…)` as such. */
function callFault({ protocol, value, options }: McpDecl) {
  if (protocol !== undefined) return undefined;
  const { transport, address, auth, spare } = serverCall(value);
  if (transport === undefined) return undefined;
  if (spare.length > 0) {
    const takes = transport === "stdio" ? "its command alone" : "an address and `auth`";
    return {
      message: `\`${transport}\` takes ${takes}`,
      hint: "settings stand behind it in `{ }`",
    };
  }
  if (auth !== undefined && options?.entries.some(({ key }) => key.text === "auth") === true)
    return { message: "the server has `auth` twice", hint: "remove one of them" };
  if (address.kind !== "string" || isServerAddress(address.value) === (transport === "http"))
    return undefined;
  return transport === "http"
    ? { message: `\`${address.value}\` is not an address`, hint: "write http://… or https://…" }
    : { message: "`stdio` takes a command, and this is an address", hint: "write `http(…)`" };
}

/** Reads the two ways to write where a server of tools is: a text alone, or `stdio("…")` and `http("…", auth)`. */
import type { ArgAst, ExprAst } from "../syntax/tree/ast.ts";

/** The transports that a declaration may name, which are no functions. */
export type ServerTransport = "stdio" | "http";

/** The parts of the value of an `mcp` declaration. */
export interface ServerCall {
  /** Undefined where the declaration leaves it to the form of the text. */
  readonly transport?: ServerTransport;
  readonly address: ExprAst;
  /** The second argument of `http`. */
  readonly auth?: ExprAst;
  /** The arguments that neither has. */
  readonly spare: readonly ArgAst[];
}

/** Returns the command or address of a server; `stdio("…")` and `http("…")` without one are left as they are written. */
export function serverCall(value: ExprAst): ServerCall {
  if (value.kind !== "call" || value.callee.kind !== "name") return { address: value, spare: [] };
  const { text } = value.callee;
  if (text !== "stdio" && text !== "http") return { address: value, spare: [] };
  const [address, auth, ...spare] = value.args;
  if (address === undefined) return { address: value, spare: [] };
  if (auth === undefined) return { transport: text, address: address.value, spare };
  if (text === "stdio") return { transport: text, address: address.value, spare: [auth, ...spare] };
  return { transport: text, address: address.value, auth: auth.value, spare };
}

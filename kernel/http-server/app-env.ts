/** Declares what the server knows of a request while it answers it. */
import type { HttpBindings } from "@hono/node-server";
import type { Role } from "./roles.ts";

export interface AppEnv {
  readonly Bindings: HttpBindings;
  /** The role of who asks, and the code of the error that is the answer. */
  readonly Variables: { role: Role; code: string };
}

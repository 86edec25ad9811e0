/** Takes the values of the variables that a strong agent is given out of what it says, whatever their names are. */
import { isBuiltInController } from "../../../dsl/index.ts";
import type { Attempt } from "../../performer.ts";
import { createRedactor, type Redactor, type Secret } from "../../redaction/redact.ts";
import type { AgentSurroundings } from "../controllers/process/process-controller.ts";

/** A value that is shorter is likelier to be a word of a text than a secret in it. */
const LENGTH_MIN = 8;

/** Places and numbers open no door, and stand in much that an agent says. */
const PLAIN = /^(?:\/|\d+$|https?:\/\/[^@?#]*$)/;

/** The redactor of the values that `env` of the node's controller names; undefined where there are none. */
export function hiddenVariables(
  { node, operator }: Pick<Attempt, "node" | "operator">,
  env: AgentSurroundings["env"] = {},
): Pick<Redactor, "redactText" | "redactPieces"> | undefined {
  if (!isBuiltInController(node.controller?.name.join(".") ?? "")) return undefined;
  const given = operator?.args.find(({ label }) => label === "env")?.value;
  const secrets = [given].flat().flatMap((name): Secret[] => {
    const value = typeof name === "string" ? env[name] : undefined;
    const isHidden = value !== undefined && value.length >= LENGTH_MIN && !PLAIN.test(value);
    return isHidden ? [{ name: String(name), value }] : [];
  });
  return secrets.length === 0 ? undefined : createRedactor(secrets);
}

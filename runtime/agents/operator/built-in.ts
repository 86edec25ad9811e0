/** Makes the controllers that a program names without anybody bringing them. */
import type { ExprIr, NodeIr } from "../../../dsl/index.ts";
import { FailureError, RunError } from "../../failure.ts";
import { remoteController } from "../a2a/a2a-controller.ts";
import { remotePlace } from "../a2a/remote-options.ts";
import { acp, openclaw } from "../controllers/acp/acp.ts";
import { claudeCode } from "../controllers/claude-code/claude-code.ts";
import { codex } from "../controllers/codex/codex.ts";
import type { AgentSurroundings } from "../controllers/process/process-controller.ts";
import type { Controller } from "./controller.ts";

/** The programs of this machine, by the names of their controllers. */
const PROGRAMS: Readonly<
  Record<string, (options: unknown, surroundings: AgentSurroundings) => Controller>
> = { claude_code: claudeCode, codex, acp, openclaw };

/** `args`: those without a label in order, then one object of those with one. */
export function builtInController(
  { controller }: Pick<NodeIr, "controller">,
  args: readonly unknown[],
  { env = process.env, ...surroundings }: Partial<AgentSurroundings>,
): Controller {
  const program = PROGRAMS[controller?.name.join(".") ?? ""];
  return failing(() =>
    program === undefined
      ? remoteAgent(controller, args, env)
      : program(args[0], { env, ...surroundings }),
  );
}

function remoteAgent(
  controller: NodeIr["controller"],
  [first, second]: readonly unknown[],
  env: AgentSurroundings["env"],
): Controller {
  const { url, ...options } = { ...objectOf(first), ...objectOf(second) };
  // An address that stands in the program is meant; one that comes from the state may be anybody's.
  const isWritten = controller?.args.every(({ value }) => isLiteral(value)) ?? false;
  const address = typeof first === "string" ? first : url;
  const origins = controller?.args.find(({ label }) => label === "origins")?.value;
  const writtenOrigins =
    origins?.kind === "list"
      ? origins.items.flatMap((item) => (item.kind === "literal" ? [item.value] : []))
      : [];
  return remoteController(remotePlace(address, options, { isWritten, writtenOrigins, env }));
}

/** Makes a controller; an error of its options is a failure of the node. */
function failing(make: () => Controller): Controller {
  try {
    return make();
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    const { code, message, hint } = thrown;
    const hinted = hint === undefined ? {} : { hint };
    throw new FailureError({ class: "tool", code, message, ...hinted }, { cause: thrown });
  }
}

function isLiteral(value: ExprIr): boolean {
  return value.kind === "literal" || (value.kind === "list" && value.items.every(isLiteral));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Calls the function of a node that acts on the world outside, as one external effect: after a crash a person says whether it happened. */
import { command, isCommand } from "../../command.ts";
import type { Attempt, CallIdentity, PerformerContext, Repeats } from "../../performer.ts";
import { withoutView } from "../../state/list-view.ts";
import { abortFailure, inOwnTurn } from "../abort.ts";
import type { Json } from "../values/json.ts";
import { collectStream } from "./collect-stream.ts";
import { assertJson, failureOutside } from "./function-result.ts";

/** Stands in the log for what `command()` returned. */
const COMMAND = "madrigal.command";

/**
 * Returns the result of the function, or the one that a person gives for it. Its steps are effects
 * of their own within this one: where one of them was under way when the process died, the question
 * is about that step.
 */
export async function callOutside(
  name: string,
  call: (identity: CallIdentity) => unknown,
  {
    attempt,
    context,
    repeats,
  }: {
    readonly attempt: Attempt;
    readonly context: PerformerContext;
    readonly repeats?: Repeats | undefined;
  },
): Promise<unknown> {
  const { callArgs = [], node } = attempt;
  const logged = await context.effect<Json>({
    effect: "function",
    name,
    request: callArgs.map(withoutView),
    external: true,
    encloses: true,
    ...(repeats === undefined ? {} : { repeats }),
    perform: async (cancellation, _, identity) => {
      try {
        const given = await inOwnTurn(() => call(identity), cancellation);
        const returned = await collectStream(given, { attempt, context, cancellation });
        return { value: toLogged(returned, name, node.writes.length > 0) };
      } catch (thrown) {
        if (cancellation.isCancelled) throw abortFailure(cancellation);
        throw failureOutside(name, thrown);
      }
    },
  });
  return fromLogged(logged, node.writes.length > 0);
}

function toLogged(returned: unknown, name: string, writes: boolean): Json {
  if (isCommand(returned)) {
    return { [COMMAND]: assertJson({ ...returned }, `the command of \`${name}\``) };
  }
  if (returned === undefined && !writes) return null;
  return assertJson(returned, `what \`${name}\` returned`);
}

function fromLogged(logged: Json, writes: boolean): unknown {
  if (logged === null && !writes) return undefined;
  const isOrder = typeof logged === "object" && logged !== null && COMMAND in logged;
  return isOrder ? command(logged[COMMAND] as object) : logged;
}

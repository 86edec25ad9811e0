/** The scenes of OpenClaw: those of each agent, its own command that asks for leave, and how it bears a model that fails. */
import type { ControllerEvent } from "../../../runtime/index.ts";
import type { ServerMove } from "../../support/providers/protocol-server.ts";
import {
  type AgentScene,
  COMMON,
  call,
  HALF_ANSWER,
  half,
  killed,
  lastOf,
  NO_FORK,
  runs,
  SCHEMA,
  text,
  turn,
  unless,
} from "./agent-scenes.ts";

// It refuses by itself what it can't hold to the words of the question, such as a command with `>`.
const command = (folder: string) => call("exec", { command: `touch ${folder}/note.txt` });

const EDITED: AgentScene = runs(
  "a call is not made where a person gives another input",
  "approve",
  command,
  // The protocol has no answer that could tell it.
  { input: { command: "touch other.txt" }, isTold: false },
);

const ANSWERS_TEXT: AgentScene = {
  title: "an answer by a schema is a text: the prompt alone asks for it",
  moves: () => text('{"ok":true}'),
  play: async ({ controller, turns }) => {
    const { last } = await turn(controller(), { outputSchema: SCHEMA });
    const isText = last?.kind === "completed" && last.text === '{"ok":true}';
    return unless(isText && turns[0]?.schema === undefined, [turns[0]?.schema, last]);
  },
};

const NO_SERVER: AgentScene = {
  title: "it takes no servers of its clients, so that a call of the run's own changes nothing",
  moves: ({ results }) =>
    results.length > 0
      ? text("done")
      : call("mcp__madrigal__write_state", { field: "count", value: 3 }),
  play: async ({ controller }) => {
    const { events, last } = await turn(controller(), { writes: { count: { type: "integer" } } });
    const isUnknown = !events.some(({ kind }) => kind === "state_hint");
    return unless(isUnknown && last?.kind === "completed", events);
  },
};

/** It asks its model at least so often; 429 ten times. */
const ASKED_MIN = 6;

/**
 * It asks a model that fails again, for one to three minutes, and says nothing meanwhile: one turn has a time-out before that,
 * another waits for its end. Their sessions are not used again, since its gateway may go on with the first.
 */
function bears(
  title: string,
  move: ServerMove,
  isEnd: (last: ControllerEvent | undefined) => boolean,
): AgentScene {
  return {
    title,
    moves: () => move,
    play: async ({ controller, turns }) => {
      const [late, last] = await Promise.all([
        lastOf(controller({ timeoutMs: 20_000 })),
        lastOf(controller()),
      ]);
      const isLate = late?.kind === "failed" && late.class === "timeout";
      const isRight = isLate && isEnd(last) && turns.length >= ASKED_MIN;
      return unless(isRight, [turns.length, late, last]);
    },
  };
}

const isSilent = (last: ControllerEvent | undefined) =>
  last?.kind === "failed" &&
  last.class === "model" &&
  last.message.includes("its own log may say why");

function fails(status: number): AgentScene {
  return bears(
    `a model that answers ${status} ends by our own time-out, or after minutes as class model without a word`,
    { kind: "status", status, message: `no (${status})` },
    isSilent,
  );
}

export const OPENCLAW_SCENES: readonly AgentScene[] = [
  ...COMMON,
  runs("a call is made after a yes", "approve", command),
  runs("a call is not made after a no", "deny", command),
  ...[EDITED, ANSWERS_TEXT, NO_SERVER, NO_FORK],
  // Its gateway goes on with the turn, for which the session's next one waits.
  killed("a bridge that is killed is lost (M8502)", false),
  ...[fails(429), fails(500)],
  // Its bridge drops the error of its gateway, so that half an answer can't be told from a whole one.
  bears(
    "half a stream of its model ends by our own time-out, or after a minute as a whole answer",
    half(),
    (last) => last?.kind === "completed" && last.text === HALF_ANSWER,
  ),
];

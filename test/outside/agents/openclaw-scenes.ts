/** The scenes of OpenClaw: those of each agent, and its own command that asks for leave. */
import { type AgentScene, COMMON, call, killed, runs } from "./agent-scenes.ts";

// It refuses by itself what it can't hold to the words of the question, such as a command with `>`.
const command = (folder: string) => call("exec", { command: `touch ${folder}/note.txt` });

export const OPENCLAW_SCENES: readonly AgentScene[] = [
  ...COMMON,
  runs("a call is made after a yes", "approve", command),
  runs("a call is not made after a no", "deny", command),
  // Its gateway goes on with the turn, for which the session's next one waits.
  killed("a bridge that is killed is lost (M8502)", false),
];

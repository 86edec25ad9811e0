/** Lists the kinds of messages between agents: a handoff moves work, all others only inform. */

/**
 * The kinds of messages between agents, as a closed set: a handoff moves work, all others only
 * inform.
 */
export const MESSAGE_KINDS = [
  ...(["task", "plan", "observation", "decision", "review", "tool_call", "tool_result"] as const),
  ...(["artifact", "handoff", "error", "final", "steer", "summary", "question", "answer"] as const),
] as const;

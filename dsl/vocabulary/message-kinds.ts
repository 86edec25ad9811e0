/** Lists the kinds of messages between agents: a handoff moves work, all others only inform. */

/** What a message between agents can be, as a closed set: a handoff moves work, all others only tell. */
export const MESSAGE_KINDS = [
  ...(["task", "plan", "observation", "decision", "review", "tool_call", "tool_result"] as const),
  ...(["artifact", "handoff", "error", "final", "steer", "summary", "question", "answer"] as const),
] as const;

/** Names the sessions of remote agents: the context, its last task, and which turn that was. */

/** A session as it is named. A person may name one by its context alone. */
export interface RemoteSession {
  readonly contextId: string;
  readonly taskId: string;
  /** From 1. */
  readonly turn: number;
}

export function sessionName({ contextId, taskId, turn }: RemoteSession): string {
  return `${encodeURIComponent(contextId.toWellFormed())}/${encodeURIComponent(taskId.toWellFormed())}/${turn}`;
}

export function sessionNamed(name: string): RemoteSession {
  const [, contextId, taskId, turn] = /^([^/]+)\/([^/]*)\/(\d+)$/.exec(name) ?? [];
  if (contextId === undefined || taskId === undefined)
    return { contextId: name, taskId: "", turn: 0 };
  return { contextId: decoded(contextId), taskId: decoded(taskId), turn: Number(turn) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

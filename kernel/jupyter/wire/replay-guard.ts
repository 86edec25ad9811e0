/** Knows the signatures of the newest messages, so that none is taken twice. */
export interface ReplayGuard {
  /** False when this signature was seen before. */
  isNew(signature: string): boolean;
}

// The number that Jupyter's own sessions remember: hours of work, a few megabytes.
const REMEMBERED_MAX = 65_536;

export function createReplayGuard({ max = REMEMBERED_MAX } = {}): ReplayGuard {
  const seen = new Set<string>();
  return {
    isNew(signature) {
      if (seen.has(signature)) return false;
      seen.add(signature);
      if (seen.size > max) forgetOldest(seen);
      return true;
    },
  };
}

/** A set iterates in the order of insertion. */
function forgetOldest(seen: Set<string>): void {
  for (const oldest of seen) {
    seen.delete(oldest);
    return;
  }
}

/** Ends a kernel whose front end is gone: killed, it tells nobody, and its kernels would live for ever. */

const PERIOD_MS = 1000;

export interface ParentView {
  /** The process that started this one, as the system says now. */
  readonly parent: () => number;
  readonly isAlive: (pid: number) => boolean;
  /** What Jupyter wrote into the environment; the front end itself, where a launcher stands between. */
  readonly frontEnd: number | undefined;
}

/** Says whether the parent is gone; asked again and again. */
export function createParentCheck(view: ParentView = systemView()): () => boolean {
  const parent = view.parent();
  const { frontEnd } = view;
  // In another container the number in the environment means nothing here.
  const isFrontEndKnown = frontEnd !== undefined && view.isAlive(frontEnd);
  return () => view.parent() !== parent || (isFrontEndKnown && !view.isAlive(frontEnd));
}

/** Calls `gone` once; what it returns stops the watch. */
export function watchParent(gone: () => void): () => void {
  const isGone = createParentCheck();
  const timer = setInterval(() => {
    if (!isGone()) return;
    clearInterval(timer);
    gone();
  }, PERIOD_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function systemView(): ParentView {
  const named = Number(process.env.JPY_PARENT_PID);
  return {
    parent: () => process.ppid,
    isAlive,
    frontEnd: Number.isInteger(named) && named > 1 ? named : undefined,
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Somebody else's process is alive too.
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}

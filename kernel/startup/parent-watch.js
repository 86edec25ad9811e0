/**
 * Notices that the process which started this one is gone; killed, it could not say so. Kernels, and what the launchers
 * start, end by it instead of living for ever. It is plain JavaScript, because launchers run on older Nodes.
 */

const PERIOD_MS = 1000;

/** Says whether the parent is gone; asked again and again. */
export function createParentCheck(view = systemView()) {
  const parent = view.parent();
  const { frontEnd } = view;
  // In another container the number in the environment means nothing here.
  const isFrontEndKnown = frontEnd !== undefined && view.isAlive(frontEnd);
  return () => view.parent() !== parent || (isFrontEndKnown && !view.isAlive(frontEnd));
}

/** Calls `gone` once; what it returns stops the watch. */
export function watchParent(gone, view = systemView()) {
  const isGone = createParentCheck(view);
  const timer = setInterval(() => {
    if (!isGone()) return;
    clearInterval(timer);
    gone();
  }, PERIOD_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Reads the parent from the system; `frontEnd` is the process id that Jupyter wrote into the environment. */
export function systemView() {
  const named = Number(process.env.JPY_PARENT_PID);
  return {
    parent: () => process.ppid,
    isAlive: isProcessAlive,
    frontEnd: Number.isInteger(named) && named > 1 ? named : undefined,
  };
}

/** Says whether a process runs, whoever owns it. */
export function isProcessAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Somebody else's process is alive too.
    return thrown instanceof Error && thrown.code === "EPERM";
  }
}

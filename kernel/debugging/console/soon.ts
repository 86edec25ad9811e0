/** Waits for work a moment: a console tells where a run has come to, or that it goes on. */

/** Returns the result of the work; undefined where it takes longer than that many milliseconds. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const moment = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work, moment]);
  } finally {
    clearTimeout(timer);
  }
}

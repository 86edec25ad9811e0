/** Bounds the time of work on a page, since the script of a page may hold it for ever. */
import { browserError } from "../browser-error.ts";

/** Rejects with M8623 when `work` takes longer than `ms` milliseconds; what it comes to then is ignored. */
export async function withinMs<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `the page did not answer within ${ms / 1000} s`;
    reject(
      browserError("M8623", { message, hint: "leave it by `browser.back`, or close its tab" }),
    );
  }, ms);
  work.catch(() => {
    // It is told by the race, or nobody waits for it any more.
  });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

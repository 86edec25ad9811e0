/** Shows on a page which element an agent wants to act on, while somebody is asked. */
import type { BrowserSession } from "../process/browser-session.ts";
import { HIDE_MARKS, SHOW_MARKS } from "./page-marks.ts";
import { withinMs } from "./within-ms.ts";

const ASK_MS = 2_000;

/** Marks the element where its page is open in this process; what it returns takes the mark away. */
export async function highlight(
  session: BrowserSession | undefined,
  ref: string,
): Promise<() => Promise<void>> {
  const page = session?.shown;
  if (page === undefined || page.isClosed()) return async () => {};
  const element = page.locator(`aria-ref=${ref}`);
  try {
    const box = await element.boundingBox({ timeout: ASK_MS });
    if (box === null) return async () => {};
    const marks = JSON.stringify([[ref, box.x, box.y, box.width, box.height]]);
    await withinMs(ASK_MS, page.evaluate(`(${SHOW_MARKS})(${marks})`));
  } catch {
    // Whoever is asked reads the name of the element.
  }
  return async () => {
    await withinMs(ASK_MS, page.evaluate(HIDE_MARKS)).catch(() => undefined);
  };
}

/** Waits until a page has taken note of an action: its scripts had their turn, and a page that it leads to has come. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserSession } from "../process/browser-session.ts";
import { withinMs } from "./within-ms.ts";

const TURN_MS = 2_000;
const PAGE_MS = 10_000;
/** Forms and links lead on in a task of their own. */
const NEXT_TASK_MS = 80;

/** Of the page that was acted on, or the one that it opened. */
export async function settled(session: BrowserSession): Promise<void> {
  await sleep(NEXT_TASK_MS);
  const page = session.shown;
  if (page === undefined || page.isClosed()) return;
  await page.waitForLoadState("domcontentloaded", { timeout: PAGE_MS }).catch(ignored);
  const frames = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))";
  await withinMs(TURN_MS, page.evaluate(frames)).catch(ignored);
}

function ignored(): void {
  // A page that needs longer is shown to the agent as it is.
}

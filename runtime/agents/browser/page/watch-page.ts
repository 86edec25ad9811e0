/** Waits until a page, or an element of it, changes. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserCall } from "../agent-browsers.ts";
import { namedElement } from "../named-element.ts";
import { findElement } from "./page-elements.ts";
import { withinMs } from "./within-ms.ts";

interface WatchedPart {
  readonly ref?: string;
  /** The time between two looks, in milliseconds. */
  readonly everyMs: number;
  /** The time of day at which it gives up, in milliseconds. */
  readonly untilMs: number;
}

const ASK_MS = 5_000;

/** Says in a sentence what came first: a change, or the end of the time. */
export async function watchPage(call: BrowserCall, of: WatchedPart): Promise<string> {
  const { session, signal } = call;
  const page = await session.page();
  const element =
    of.ref === undefined
      ? page.locator(":root")
      : await findElement(page, namedElement(call, of.ref), signal);
  const counter = await element.evaluateHandle(observeChanges, undefined, { timeout: ASK_MS });
  const began = Date.now();
  try {
    for (;;) {
      const changes = await withinMs(ASK_MS, counter.evaluate(takeChanges)).catch(() => undefined);
      if (changes === undefined) return "The page is another one now.";
      if (changes > 0) {
        const seconds = Math.round((Date.now() - began) / 1_000);
        return `It changed after ${seconds} s (${changes} changes).`;
      }
      const left = of.untilMs - Date.now();
      if (left <= 0) return "It did not change within the time.";
      await sleep(Math.min(of.everyMs, left), undefined, { signal });
    }
  } finally {
    await counter.evaluate(endObserving).catch(() => undefined);
  }
}

// Within the page, where there are other globals than here.

interface ChangeCounter {
  changes: number;
  readonly observer: { disconnect(): void };
}

declare const MutationObserver: new (
  callback: (records: readonly unknown[]) => void,
) => { observe(target: unknown, options: object): void; disconnect(): void };

function observeChanges(target: unknown): ChangeCounter {
  const counter = {
    changes: 0,
    observer: new MutationObserver((records) => {
      counter.changes += records.length;
    }),
  };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  counter.observer.observe(target, all);
  return counter;
}

function takeChanges(counter: ChangeCounter): number {
  return counter.changes;
}

function endObserving(counter: ChangeCounter): void {
  counter.observer.disconnect();
}

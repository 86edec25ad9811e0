/** Lets a person use the browser of an agent, who waits meanwhile. */
import type { Page } from "playwright-core";
import { browserError } from "../browser-error.ts";
import { PERSON_MS, type PersonAct, type TakenPage } from "../live-page.ts";
import { type SiteRules, visitedKey } from "./site-rules.ts";

/** The parts of a browser session that a person uses. */
interface PersonsBrowser {
  readonly shown: Page | undefined;
  readonly rules: SiteRules;
  picture(): Promise<Uint8Array | undefined>;
  visit(url: string, signal: AbortSignal): Promise<Page>;
  move(how: "goBack", signal: AbortSignal): Promise<Page>;
  note(text: string): void;
}

export class PersonAtPage implements TakenPage {
  readonly #session: PersonsBrowser;
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #queue: Promise<unknown> = Promise.resolve();
  #acts = 0;

  constructor(session: PersonsBrowser) {
    this.#session = session;
    this.#timer = setTimeout(() => this.handBack(), PERSON_MS).unref();
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  get url(): string {
    return this.#session.shown?.url() ?? "about:blank";
  }

  async act(act: PersonAct): Promise<void> {
    const done = this.#queue.then(async () => {
      if (this.over.aborted) throw notTaken();
      this.#acts += 1;
      await perform(act, this.#session, this.over);
    });
    this.#queue = done.catch(() => undefined);
    await done;
  }

  picture(): Promise<Uint8Array | undefined> {
    return this.#session.picture();
  }

  handBack(): void {
    if (this.over.aborted) return;
    clearTimeout(this.#timer);
    if (this.#acts > 0) this.#session.note("A person used the browser meanwhile.");
    this.#over.abort(notTaken());
  }
}

function notTaken(): Error {
  return browserError("M8631", {
    message: "the browser is not in your hands",
    hint: "take it over again",
  });
}

async function perform(act: PersonAct, session: PersonsBrowser, signal: AbortSignal) {
  const page = session.shown;
  if (page === undefined) throw notTaken();
  switch (act.kind) {
    case "click":
      return await page.mouse.click(act.x, act.y, { clickCount: act.count ?? 1 });
    case "scroll":
      await page.mouse.move(act.x, act.y);
      return await page.mouse.wheel(act.right, act.down);
    case "key":
      return await page.keyboard.press(act.key);
    case "text":
      return await page.keyboard.insertText(act.text);
    case "visit": {
      const url = /^[a-z][a-z\d+.-]*:/i.test(act.url) ? act.url : `https://${act.url}`;
      // A person's word is leave enough; what is blocked or private stays so.
      if (URL.canParse(url)) session.rules.visited.add(visitedKey(new URL(url)));
      await session.visit(url, signal);
      return;
    }
    case "back":
      await session.move("goBack", signal);
  }
}

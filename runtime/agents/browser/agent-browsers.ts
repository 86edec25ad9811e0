/** Gives each agent its own browser session, and makes of what was done in it the result that the agent gets. */
import { stripVTControlCharacters } from "node:util";
import type { Page } from "playwright-core";
import { FailureError, messageOf } from "../../failure.ts";
import type { CalledToolContext } from "../scope/tools.ts";
import type { OpenResources, StatefulResult, ToolCaller } from "../tools/tool-caller.ts";
import { shortText } from "../values/text-size.ts";
import { withoutUnseen } from "../values/unseen-characters.ts";
import { browserError, doubtfulAction } from "./browser-error.ts";
import type { BrowserToolsOptions } from "./browser-options.ts";
import { type BrowserState, isBrowserState } from "./browser-state.ts";
import { saveDownloads } from "./downloads.ts";
import { pictureOf } from "./page/page-picture.ts";
import { readLines, stretchOfLines } from "./page/page-text.ts";
import { withinMs } from "./page/within-ms.ts";
import type { BrowserSession } from "./process/browser-session.ts";

const ACTIONS_MAX = 5;
const ACTIONS_AT_ONCE = 1;
/** The sessions of a run that stay open; an older one is restored when its agent comes back. */
const SESSIONS_MAX = 8;

/** One call of a tool, in the session of its agent. */
export interface BrowserCall {
  readonly session: BrowserSession;
  readonly context: CalledToolContext;
  readonly signal: AbortSignal;
}

export interface BrowserWork {
  /** The thing to be done, for errors: `click button "Buy"`. */
  readonly what: string;
  /** Changes something, and so counts as an action of the turn. */
  readonly acts: boolean;
  /** True if it may not be done twice, so that a person is asked when nobody knows whether it was. */
  readonly once?: boolean;
  /** The first line of the page that is shown; without it the page is shown where it has changed. */
  readonly from?: number;
  /** True if a picture of the page is wanted, with its elements numbered or as it is. */
  readonly picture?: "numbered" | "plain";
  /** Comes before the agent waits for its browser, so that a person can use that meanwhile. */
  readonly before?: (context: CalledToolContext) => Promise<void>;
  /** Says in a sentence what was done. */
  readonly perform: (call: BrowserCall) => Promise<string>;
}

export class AgentBrowsers {
  readonly options: BrowserToolsOptions;
  readonly #sessions = new WeakMap<OpenResources, BrowserSession[]>();
  readonly #ofCaller = new WeakMap<ToolCaller, BrowserSession>();
  /** The browser of TypeScript that calls the tools itself. */
  #own: BrowserSession | undefined;

  constructor(options: BrowserToolsOptions) {
    this.options = options;
  }

  /** Does the work in the session of the caller. */
  async call(work: BrowserWork, context: CalledToolContext): Promise<StatefulResult> {
    const { BrowserSession } = await import("./process/browser-session.ts");
    const session = this.#sessionOf(
      context.caller,
      (state) => new BrowserSession(this.options, state),
    );
    await work.before?.(context);
    await session.untilHandedBack(context.signal);
    const result = session.turn(async () => {
      context.signal.throwIfAborted();
      session.guardBy(context.caller?.reach);
      if (work.acts) this.#assertMayAct(session, context.caller);
      const { signal } = context;
      const call = { session, context, signal };
      const done = await this.#done(call, work);
      return await this.#shown(done, call, work);
    });
    // Queues what watchers do before the agent goes on.
    return await result.finally(() => context.caller?.open.livePages$.next(session.live()));
  }

  /** The session of an agent: the one that it was left in the state that the agent goes on from, else a new one in that state. */
  #sessionOf(
    caller: ToolCaller | undefined,
    create: (state?: BrowserState) => BrowserSession,
  ): BrowserSession {
    if (caller === undefined) {
      this.#own ??= create();
      return this.#own;
    }
    const state = isBrowserState(caller.state) ? caller.state : undefined;
    const own = this.#ofCaller.get(caller);
    if (own !== undefined && isAt(own, state)) return own;
    const known = this.#sessions.get(caller.open) ?? [];
    const found = state === undefined ? undefined : known.find((one) => isAt(one, state));
    const session = found ?? create(state);
    this.#ofCaller.set(caller, session);
    if (found === undefined) this.#keep(session, caller, known);
    return session;
  }

  /** The session that the caller has open in this process, if it has one. */
  openSession(caller: ToolCaller | undefined): BrowserSession | undefined {
    return caller === undefined ? this.#own : this.#ofCaller.get(caller);
  }

  /** Ends the browser of TypeScript that calls the tools itself. */
  async close(): Promise<void> {
    const own = this.#own;
    this.#own = undefined;
    await own?.close();
  }

  #keep(session: BrowserSession, { open }: ToolCaller, known: readonly BrowserSession[]): void {
    if (known.length === 0)
      open.add(async () => {
        const all = this.#sessions.get(open) ?? [];
        this.#sessions.delete(open);
        for (const one of all) open.livePages$.next(one.live({ isEnding: true }));
        await Promise.all(all.map((one) => one.end()));
      });
    const all = [...known, session];
    for (const old of all.splice(0, all.length - SESSIONS_MAX)) void old.turn(() => old.close());
    this.#sessions.set(open, all);
  }

  #assertMayAct(session: BrowserSession, caller: ToolCaller | undefined): void {
    const { actionsMax = ACTIONS_MAX, actionsAtOnce = ACTIONS_AT_ONCE } = this.options;
    const { inTurn, inStep } = actedBy(session.state, caller);
    if (caller === undefined) return;
    if (inTurn >= actionsMax)
      throw browserError("M8629", {
        message: `you have acted ${actionsMax} times in this turn, which is all`,
        hint: "say what you did and what is left to do",
      });
    if (inStep >= actionsAtOnce)
      throw browserError("M8629", {
        message: `only ${actionsAtOnce} of your calls at once may act`,
        hint: "look at what it came to before you act again",
      });
  }

  async #done(call: BrowserCall, { what, once = false, perform }: BrowserWork): Promise<string> {
    try {
      return await perform(call);
    } catch (cause) {
      if (call.signal.aborted || cause instanceof FailureError || isCoded(cause)) throw cause;
      if (isEnd(cause) && once) throw doubtfulAction(what, cause);
      if (isEnd(cause)) throw endedBrowser(what, cause);
      const why = reasonIn(cause);
      throw browserError("M8630", { message: `it was not possible to ${what}: ${why}`, cause });
    }
  }

  /** A browser that ends once the work is done is started again: what was done stays done. */
  async #shown(done: string, call: BrowserCall, work: BrowserWork): Promise<StatefulResult> {
    try {
      return await this.#result(done, call, work);
    } catch (cause) {
      if (!isEnd(cause) || call.signal.aborted) throw timelyResult(cause);
    }
    await call.session.close();
    const note = `${done}\nThe browser ended, and was started again with its tabs as they were before.`;
    try {
      return await this.#result(note, call, work);
    } catch (cause) {
      throw isEnd(cause) && !call.signal.aborted ? endedBrowser(work.what, cause) : cause;
    }
  }

  async #result(done: string, call: BrowserCall, work: BrowserWork): Promise<StatefulResult> {
    const { session, context, signal } = call;
    const { options } = this;
    const page = await session.page();
    const { tabs, active } = await session.tabs();
    const seen = await readLines(page, signal);
    const before = session.state;
    const isShown = work.from !== undefined || before?.seen !== seen.hash;
    const kept = await saveDownloads(session, context);
    const head = [
      done,
      ...kept,
      `Tabs: ${tabs.map(({ url }, at) => `${at + 1}${at === active ? " (shown)" : ""} ${shortText(url, 160)}`).join(", ")}`,
      ...session.takeNotes(),
      await titleOf(page),
    ];
    const text = [
      ...head,
      isShown ? stretchOfLines(seen, work.from) : "[the page is as you saw it last]",
    ].join("\n");
    const isChanged = before?.seen !== seen.hash;
    const wanted =
      work.picture ?? (options.pictures === true && isChanged ? picturesIn(options) : undefined);
    const picture = wanted === undefined ? undefined : await pictureOf(page, wanted, signal);
    const acted = work.acts ? actedBy(before, context.caller, 1) : before?.acted;
    const state: BrowserState = {
      kind: "browser",
      session: session.id,
      number: (before?.number ?? 0) + 1,
      tabs,
      active,
      visited: [...session.rules.visited],
      seen: isShown ? seen.hash : (before?.seen ?? ""),
      ...(acted === undefined ? {} : { acted }),
      ...(options.keepStorage === true ? { storage: await session.storage() } : {}),
    };
    session.left(state, text);
    if (picture === undefined) return { $state: state, value: text };
    const list = picture.list === "" ? text : `${text}\n${picture.list}`;
    const content = [
      { type: "text", text: list },
      { type: "image", data: picture.data, mimeType: picture.mime },
    ];
    return { $state: state, value: { content } };
  }
}

function picturesIn({ mode }: BrowserToolsOptions): "numbered" | "plain" {
  return mode === "coordinates" ? "plain" : "numbered";
}

/** Counts the actions of the caller in its turn and in this call of its model, with `more`. */
function actedBy(
  state: BrowserState | undefined,
  caller: ToolCaller | undefined,
  more = 0,
): NonNullable<BrowserState["acted"]> {
  const { turn, step } = caller ?? { turn: "", step: 0 };
  const before = state?.acted?.turn === turn ? state.acted : undefined;
  const inStep = before?.step === step ? before.inStep : 0;
  return { turn, step, inTurn: (before?.inTurn ?? 0) + more, inStep: inStep + more };
}

function isAt({ id, state: at }: BrowserSession, state: BrowserState | undefined): boolean {
  if (at === undefined || state === undefined) return at === state;
  return at.number === state.number && (state.session === id || state.session === at.session);
}

async function titleOf(page: Page): Promise<string> {
  const title = await withinMs(1_000, page.title()).catch(() => "");
  return `The page ${JSON.stringify(shortText(withoutUnseen(title), 100))}, as its elements say it:`;
}

/** A page that hangs is an error of the page, not of ours. */
function timelyResult(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name !== "TimeoutError") return thrown;
  const hint = "leave it by `browser.visit`, or close its tab";
  return browserError("M8623", { message: "the page does not answer", hint, cause: thrown });
}

function isEnd(thrown: unknown): boolean {
  return /has been closed|crashed|disconnected|Connection closed/i.test(messageOf(thrown));
}

function endedBrowser(what: string, cause: unknown): Error {
  return browserError("M8624", {
    message: `the browser ended while it was to ${what}`,
    hint: "the next action starts it again with its tabs",
    cause,
  });
}

function isCoded(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && /^M\d{4}$/.test(String(thrown.code));
}

/** The lines of Playwright's errors that say what was in the way. */
function reasonIn(thrown: unknown): string {
  const lines = stripVTControlCharacters(messageOf(thrown))
    .split("\n")
    .map((line) => line.replace(/^[\s-]+/, ""))
    .filter((line) => line !== "" && line !== "Call log:");
  const why = lines.findLast((line) =>
    /intercepts|not (?:visible|enabled|stable|editable)|outside/.test(line),
  );
  const first = (lines[0] ?? "").replace(/^\w+\.\w+: /, "");
  return shortText(why === undefined ? first : `${first} ${why}`, 300);
}

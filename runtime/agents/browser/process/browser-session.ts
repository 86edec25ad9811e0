/** Holds one agent's browser: a context of its own with its tabs, behind a proxy of its own. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { BrowserContext, Dialog, Download, Page, Route } from "playwright-core";
import { messageOf } from "../../../failure.ts";
import type { GuardedReach } from "../../../scheduler/guard/guard-of.ts";
import { shortText } from "../../values/text-size.ts";
import { withoutUnseen } from "../../values/unseen-characters.ts";
import { declaredHosts } from "../../web/reachable-addresses.ts";
import { browserError } from "../browser-error.ts";
import type { BrowserToolsOptions } from "../browser-options.ts";
import type { BrowserState, TabState } from "../browser-state.ts";
import type { LivePage } from "../live-page.ts";
import { smallPicture } from "../page/page-picture.ts";
import { withinMs } from "../page/within-ms.ts";
import { type HeldBrowser, holdBrowser } from "./browser-process.ts";
import { GuardedProxy } from "./guarded-proxy.ts";
import { SiteRules } from "./site-rules.ts";
import { PersonAtPage } from "./taken-page.ts";

const VIEWPORT = { width: 1440, height: 900 };
const TABS_MAX = 8;
const BYTES_MAX = 50 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** The tries to go to an address whose page is kept from coming by another that comes at the same time. */
const TRIES_MAX = 4;
const INTERRUPTED = /is interrupted by another navigation|net::ERR_ABORTED/;
/** A page gets this long for a question of ours: where it is scrolled, what it is called. */
const ASK_MS = 1_000;
/** A picture for people who watch; the agent waits so long for it at most. */
const PICTURE_MS = 2_000;
const NOTES_MAX = 12;
const TEXTS_MAX = 10;

/** The parts that are there while the browser runs. */
interface OpenBrowser {
  readonly held: HeldBrowser;
  readonly proxy: GuardedProxy;
  readonly context: BrowserContext;
}

export class BrowserSession {
  readonly id = randomUUID().slice(0, 8);
  readonly options: BrowserToolsOptions;
  readonly rules: SiteRules;
  /** The state in which the last result left it; a browser that ended is restored to it. */
  state: BrowserState | undefined;
  /** The texts of its last results, newest first. */
  readonly texts: string[] = [];
  #open: Promise<OpenBrowser> | undefined;
  #active: Page | undefined;
  readonly #pages: Page[] = [];
  readonly #notes: string[] = [];
  readonly #downloads: Download[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #creating: Promise<unknown> | undefined;
  #picture: Promise<unknown> | undefined;
  #person: PersonAtPage | undefined;

  constructor(options: BrowserToolsOptions, from?: BrowserState) {
    this.options = options;
    this.state = from;
    this.rules = new SiteRules(declaredHosts(options.privateHosts), from?.visited);
  }

  /** Has one caller at a time work with the browser. */
  async turn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#queue;
    const own = before.then(work, work);
    this.#queue = own.catch(() => undefined);
    return await own;
  }

  /** Takes note of a result and of the state in which it leaves the browser. */
  left(state: BrowserState, text: string): void {
    this.state = state;
    this.texts.unshift(text);
    this.texts.splice(TEXTS_MAX);
  }

  guardBy(reach: GuardedReach | undefined): void {
    this.rules.reach = reach;
  }

  /** The tab that is shown; starts the browser, and restores its tabs, where it does not run. */
  async page(): Promise<Page> {
    const { context } = await this.#running();
    const shown = this.#active ?? this.#pages.at(-1);
    if (shown !== undefined && !shown.isClosed()) return shown;
    return await this.newTab(context);
  }

  get pages(): readonly Page[] {
    return this.#pages;
  }

  /** The page that is shown, where the browser runs. */
  get shown(): Page | undefined {
    return this.#active;
  }

  show(page: Page): void {
    this.#active = page;
  }

  /** Opens an empty tab and shows it; throws M8626 where there are enough. */
  async newTab(of?: BrowserContext): Promise<Page> {
    const context = of ?? (await this.#running()).context;
    const max = this.options.singleTab === true ? 1 : (this.options.tabsMax ?? TABS_MAX);
    if (this.#pages.length >= max)
      throw browserError("M8626", { message: `there are ${max} tabs already`, hint: "close one" });
    const page = await this.#create(context);
    this.#active = page;
    return page;
  }

  /** Goes to an address in the tab that is shown; rejects with M8600, M8601, M8603 or M8625. */
  async visit(url: string, signal: AbortSignal): Promise<Page> {
    const fault = this.rules.pageFault(url);
    if (fault !== undefined) throw refusedPage(url, fault);
    const page = await this.page();
    await this.#navigate(page, async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await page.goto(url, { ...this.#coming, signal });
        } catch (thrown) {
          const message = messageOf(thrown);
          if (tries === TRIES_MAX || signal.aborted || !INTERRUPTED.test(message)) throw thrown;
          // The try before has come after all.
          if (message.includes(`another navigation to "${url}"`))
            return await page.waitForLoadState("domcontentloaded", this.#coming);
        }
      }
    });
    return page;
  }

  /** Goes on with what leads to another page, and tells why that did not come. */
  async #navigate(page: Page, go: () => Promise<unknown>): Promise<void> {
    try {
      await go();
    } catch (cause) {
      await this.#stopLoading(page);
      const message = messageOf(cause);
      if (/Download is starting|net::ERR_ABORTED/.test(message)) return;
      const [refused] = this.rules.takeRefused();
      if (refused !== undefined) throw refusedPage(refused.host, refused.reason);
      const [line = ""] = message.split("\n");
      if (/Timeout/.test(line))
        throw browserError("M8623", {
          message: `the page did not come within ${this.timeoutMs / 1000} s`,
        });
      throw page.isClosed() || /has been closed|crashed/.test(line)
        ? cause
        : browserError("M8625", {
            message: `the page did not come: ${shortText(line.replace(/^\w+\.\w+: /, ""), 300)}`,
            cause,
          });
    }
  }

  /** A page that is waited for no longer comes no more. */
  async #stopLoading(page: Page): Promise<void> {
    const { context } = (await this.#open?.catch(() => undefined)) ?? {};
    if (context === undefined || page.isClosed()) return;
    const stop = async () => {
      const client = await context.newCDPSession(page);
      await client.send("Page.stopLoading");
      await client.detach();
    };
    await withinMs(ASK_MS, stop()).catch(ignored);
  }

  /** Goes back or loads anew. */
  async move(how: "goBack" | "reload", signal: AbortSignal): Promise<Page> {
    const page = await this.page();
    await this.#navigate(page, () =>
      page[how]({ ...this.#coming, signal }).catch((thrown: unknown) => {
        // The page of an error before may come only now.
        if (!messageOf(thrown).includes('navigation to "chrome-error:')) throw thrown;
        return page[how]({ ...this.#coming, signal });
      }),
    );
    return page;
  }

  get #coming() {
    return { waitUntil: "domcontentloaded", timeout: this.timeoutMs } as const;
  }

  get timeoutMs(): number {
    return this.options.timeoutMs ?? TIMEOUT_MS;
  }

  get bytesMax(): number {
    return this.options.bytesMax ?? BYTES_MAX;
  }

  /** Returns what happened beside the actions since the last call, each in a sentence. */
  takeNotes(): readonly string[] {
    const refused = this.rules
      .takeRefused()
      .map(({ host, reason }) => `${host} was not reached: ${reason}.`);
    return [...this.#notes.splice(0), ...refused].slice(0, NOTES_MAX);
  }

  /** Returns the downloads that began since the last call. */
  takeDownloads(): readonly Download[] {
    return this.#downloads.splice(0);
  }

  /** Returns the state of the tabs, and takes pages away that may not be shown. */
  async tabs(): Promise<{ readonly tabs: readonly TabState[]; readonly active: number }> {
    const open = this.#pages.filter((page) => !page.isClosed());
    for (const page of open) await this.#leaveRefused(page);
    const tabs = await Promise.all(open.map(tabState));
    const active = Math.max(0, open.indexOf(this.#active ?? (open.at(-1) as Page)));
    return { tabs, active };
  }

  /** Cookies and local storage of its pages. */
  async storage(): Promise<unknown> {
    const { context } = await this.#running();
    return await withinMs(ASK_MS * 5, context.storageState());
  }

  /** True if the browser of this session runs. */
  get isRunning(): boolean {
    return this.#open !== undefined;
  }

  /** The page that is shown, for people who watch. */
  live({ isEnding = false } = {}): LivePage {
    return { isEnding, picture: () => this.picture(), takeOver: () => this.#takeOver() };
  }

  async #takeOver(): Promise<PersonAtPage> {
    if (this.#person?.over.aborted === false)
      throw browserError("M8631", { message: "a person uses the browser already" });
    const person = new PersonAtPage(this);
    this.#person = person;
    // The action of the agent that is under way ends first.
    await this.turn(async () => undefined);
    if (this.#active === undefined) person.handBack();
    return person;
  }

  /** Resolves once no person uses the browser. */
  async untilHandedBack(signal: AbortSignal): Promise<void> {
    while (this.#person?.over.aborted === false) {
      const either = AbortSignal.any([this.#person.over, signal]);
      if (!either.aborted) await once(either, "abort");
      signal.throwIfAborted();
    }
  }

  /** Takes a picture of the page that is shown, between the calls of the agent; undefined where none can be taken. */
  picture(): Promise<Uint8Array | undefined> {
    const taken = this.turn(async () => {
      const page = this.#active;
      if (page === undefined) return undefined;
      await this.#leaveRefused(page);
      return await smallPicture(page, PICTURE_MS);
    });
    const inTime = withinMs(PICTURE_MS, taken).catch(() => undefined);
    this.#picture = inTime;
    return inTime;
  }

  /** Closes it when the last picture that was asked for is taken. */
  async end(): Promise<void> {
    await this.#picture;
    await this.close();
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    this.#pages.splice(0);
    this.#active = undefined;
    this.#person?.handBack();
    const running = await open?.catch(() => undefined);
    if (running !== undefined) await endAll(running);
  }

  // ── the browser ───────────────────────────────────────────────────────────────────────────────

  async #running(): Promise<OpenBrowser> {
    const known = await this.#open;
    if (known?.held.browser.isConnected()) return known;
    if (known !== undefined) await this.close();
    this.#open = this.#start();
    try {
      return await this.#open;
    } catch (thrown) {
      this.#open = undefined;
      throw thrown;
    }
  }

  async #start(): Promise<OpenBrowser> {
    const { rules, options } = this;
    const held = await holdBrowser(options);
    let proxy: GuardedProxy | undefined;
    try {
      proxy = await GuardedProxy.open({
        rules,
        bytesMax: this.bytesMax,
        resolveName: options.resolveName,
      });
      const { state } = this;
      const context = await held.browser.newContext({
        viewport: options.viewport ?? VIEWPORT,
        // The loopback address goes by the proxy, too.
        proxy: { server: proxy.address, bypass: "<-loopback>" },
        serviceWorkers: "block",
        acceptDownloads: true,
        permissions: [],
        ...(options.keepStorage === true && state?.storage !== undefined
          ? { storageState: state.storage as never }
          : {}),
      });
      const open = { held, proxy, context };
      context.on("page", (page) => void this.#opened(page).catch(ignored));
      await context.route("**/*", (route) => this.#route(route));
      await this.#restore(context, state);
      return open;
    } catch (thrown) {
      await endAll({ held, proxy });
      throw thrown;
    }
  }

  async #restore(context: BrowserContext, state: BrowserState | undefined): Promise<void> {
    for (const { url, scroll } of state?.tabs ?? []) {
      const page = await this.#create(context);
      if (url === "" || url === "about:blank" || this.rules.pageFault(url) !== undefined) continue;
      try {
        await page.goto(url, { waitUntil: "domcontentloaded", timeout: this.timeoutMs });
        await withinMs(ASK_MS, page.evaluate(`scrollTo(${scroll.join(", ")})`));
      } catch (thrown) {
        this.note(`A tab could not be opened again: ${firstLine(thrown)}`);
      }
    }
    this.#active = this.#pages[state?.active ?? 0];
  }

  // ── what pages do by themselves ───────────────────────────────────────────────────────────────

  #take(page: Page): void {
    if (this.#pages.includes(page)) return;
    this.#pages.push(page);
    page.on("dialog", (dialog) => void this.#answer(dialog));
    page.on("download", (download) => this.#downloads.push(download));
    page.on("crash", () => this.note("A page of a tab has crashed."));
    page.on("framenavigated", (frame) => {
      if (this.rules.pageFault(frame.url()) !== undefined) void this.#leaveRefused(page);
    });
    page.on("close", () => {
      const at = this.#pages.indexOf(page);
      if (at >= 0) this.#pages.splice(at, 1);
      if (this.#active === page) this.#active = this.#pages.at(-1);
    });
  }

  /** Opens a tab of ours; what else opens meanwhile is one of a page. */
  async #create(context: BrowserContext): Promise<Page> {
    const created = context.newPage().then((page) => {
      this.#take(page);
      return page;
    });
    this.#creating = created.catch(() => undefined);
    return await created;
  }

  /** Takes a tab that a page opened; too many are closed at once. */
  async #opened(page: Page): Promise<void> {
    await this.#creating;
    if (this.#pages.includes(page) || page.isClosed()) return;
    const { singleTab = false, tabsMax = TABS_MAX } = this.options;
    if (!singleTab && this.#pages.length < tabsMax) {
      this.#take(page);
      this.#active = page;
      this.note("The page opened another tab, which is shown now.");
      return;
    }
    this.note("The page wanted to open another tab.");
    const [shown] = this.#pages;
    // Its address comes a moment after the tab.
    if (singleTab) await page.waitForURL(/^http/, { waitUntil: "commit", timeout: ASK_MS });
    const url = page.url();
    await page.close();
    if (singleTab && this.rules.pageFault(url) === undefined)
      await shown?.goto(url, { waitUntil: "commit", timeout: this.timeoutMs });
  }

  async #route(route: Route): Promise<void> {
    const request = route.request();
    const url = request.url();
    const fault = /^(?:data|blob|about):/.test(url) ? undefined : this.rules.pageFault(url);
    try {
      if (fault === undefined) {
        await route.continue();
        return;
      }
      this.rules.refuse(URL.canParse(url) ? new URL(url).host || url.slice(0, 60) : "", fault);
      await route.abort("blockedbyclient");
    } catch {
      // The page is gone.
    }
  }

  /** A redirect may have led somewhere that the first address did not show. */
  async #leaveRefused(page: Page): Promise<void> {
    for (const frame of page.isClosed() ? [] : page.frames()) {
      const fault = this.rules.pageFault(frame.url());
      if (fault === undefined) continue;
      this.rules.refuse(shortText(frame.url(), 120), fault);
      await page.goto("about:blank", { timeout: this.timeoutMs }).catch(ignored);
      return;
    }
  }

  /** Nobody answers dialogs of pages: they are closed, and what they say is told. */
  async #answer(dialog: Dialog): Promise<void> {
    const kind = dialog.type();
    if (kind !== "beforeunload")
      this.note(
        `The page showed a dialog (${kind}), which was closed: ${JSON.stringify(shortText(withoutUnseen(dialog.message()), 200))}`,
      );
    try {
      await (kind === "beforeunload" ? dialog.accept() : dialog.dismiss());
    } catch {
      // The page is gone.
    }
  }

  /** Keeps a sentence for the next result. */
  note(text: string): void {
    if (this.#notes.length < NOTES_MAX && !this.#notes.includes(text)) this.#notes.push(text);
  }
}

function ignored(): void {
  // A page that is closed meanwhile needs nothing any more.
}

async function endAll({
  held,
  proxy,
  context,
}: { readonly [K in keyof OpenBrowser]?: OpenBrowser[K] | undefined }): Promise<void> {
  const isThere = held?.browser.isConnected() === true;
  if (isThere) await context?.close().catch(ignored);
  await Promise.allSettled([proxy?.close(), held?.release()]);
}

async function tabState(page: Page): Promise<TabState> {
  try {
    const scroll = await withinMs(ASK_MS, page.evaluate<[number, number]>(SCROLL));
    return { url: page.url(), scroll };
  } catch {
    return { url: page.url(), scroll: [0, 0] };
  }
}

/** Scripts for pages are texts: this project has no types of a browser. */
const SCROLL = "[Math.round(scrollX), Math.round(scrollY)]";

function firstLine(thrown: unknown): string {
  return shortText(messageOf(thrown).split("\n", 1)[0] ?? "", 200);
}

function refusedPage(url: string, reason: string): Error {
  return browserError("M8627", {
    message: `\`${shortText(url, 200)}\` was not reached: ${reason}`,
    hint: "the program declares what may be reached: `guard.urls`, `createBrowserTools({ privateHosts })`, MADRIGAL_WEB_PRIVATE",
  });
}

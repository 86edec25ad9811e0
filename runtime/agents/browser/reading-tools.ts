/** Declares the tools that go to pages and read them. */

import { setTimeout as sleep } from "node:timers/promises";
import { TIMER_MAX_MS } from "../../clock.ts";
import type { Answer } from "../../interrupt.ts";
import type { CalledToolContext } from "../scope/tools.ts";
import { noSearchProvider, searchProviderIn } from "../web/search-providers.ts";
import type { AgentBrowsers, BrowserCall, BrowserWork } from "./agent-browsers.ts";
import { browserError } from "./browser-error.ts";
import { searchAddress } from "./browser-options.ts";
import { CALL_MS, type DeclaredBrowserTools, inputOf, OF_STRANGERS } from "./declared-tool.ts";
import { markdownOf } from "./page/page-markdown.ts";
import { watchPage } from "./page/watch-page.ts";
import { visitedKey } from "./process/site-rules.ts";

const LENGTH = 8_000;
const LENGTH_MAX = 32_000;
const HITS = 8;
const WAIT_S_MAX = 60;
const WATCH_MIN = 5;
const WATCH_MIN_MAX = 30;

const DONE = "it is done";

const LOOKS = { effect: "external", baseline: "never", idempotent: true, targets: [] } as const;
const GOES = { effect: "external", baseline: "maybe", timeoutMs: CALL_MS } as const;

export function readingTools(browsers: AgentBrowsers): DeclaredBrowserTools {
  return {
    visit: {
      ...GOES,
      targets: ["url"],
      idempotent: true,
      description: `Opens a page of the web in the tab that is shown, and shows its elements with refs. ${OF_STRANGERS}`,
      input: inputOf({ url: { type: "string", description: "with http: or https:" } }, ["url"]),
      work: ({ url }: { url: string }) => visiting(url),
    },
    search: {
      ...LOOKS,
      timeoutMs: CALL_MS,
      description: "Searches the web: gives addresses with titles and a few words.",
      input: inputOf({ query: { type: "string", minLength: 1 } }, ["query"]),
      work: ({ query }: { query: string }) => searching(browsers, query),
    },
    observe: {
      effect: "none",
      description: `Shows the elements of the page with their refs, in stretches of lines: ask again with \`from\`; with \`picture\` also as a picture in which elements are numbered by their refs. ${OF_STRANGERS}`,
      input: inputOf({
        from: { type: "integer", minimum: 1, description: "the first line, from 1" },
        picture: { type: "boolean" },
      }),
      work: ({ from = 1, picture = false }: { from?: number; picture?: boolean }) => ({
        what: "look at the page",
        acts: false,
        from,
        ...(picture
          ? {
              picture:
                browsers.options.mode === "coordinates"
                  ? ("plain" as const)
                  : ("numbered" as const),
            }
          : {}),
        perform: async () => "You look at the page.",
      }),
    },
    read: {
      effect: "none",
      timeoutMs: CALL_MS,
      description: `Reads the text of the page as Markdown, in stretches of characters: ask again with \`from\`. ${OF_STRANGERS}`,
      input: inputOf({
        from: { type: "integer", minimum: 0 },
        length: { type: "integer", minimum: 1, maximum: LENGTH_MAX },
      }),
      work: ({ from = 0, length = LENGTH }: { from?: number; length?: number }) =>
        reading(from, length),
    },
    wait: {
      effect: "none",
      timeoutMs: CALL_MS,
      description: "Waits for a text on the page, or some seconds.",
      input: inputOf({
        seconds: { type: "number", minimum: 0, maximum: WAIT_S_MAX, description: "at most" },
        text: { type: "string", minLength: 1, maxLength: 200 },
      }),
      work: ({ seconds = 5, text }: { seconds?: number; text?: string }) => waiting(seconds, text),
    },
    watch: {
      effect: "none",
      timeoutMs: (WATCH_MIN_MAX + 1) * 60_000,
      description:
        "Waits until the page, or the element of a ref, changes: looks every so many seconds, for so many minutes.",
      input: inputOf({
        ref: { type: "string" },
        every: { type: "number", minimum: 0.5, maximum: 30, description: "seconds; 1 by default" },
        within: {
          type: "number",
          minimum: 1,
          maximum: WATCH_MIN_MAX,
          description: "minutes; 5 by default",
        },
      }),
      work: ({ ref, every = 1, within = WATCH_MIN }: WatchInput, context: CalledToolContext) => ({
        what: "watch the page",
        acts: false,
        from: 1,
        perform: (call) =>
          watchPage(call, {
            ...(ref === undefined ? {} : { ref }),
            everyMs: every * 1_000,
            untilMs: (context.askedAt ?? Date.now()) + within * 60_000,
          }),
      }),
    },
    hand_over: {
      effect: "none",
      asks: true,
      // The person has as long as the question is open.
      timeoutMs: TIMER_MAX_MS,
      description:
        "Asks a person to do in this browser what you may or can not: to log in, to pay, to solve a puzzle. Say what is to be done. You go on when the person is ready.",
      input: inputOf({ why: { type: "string", minLength: 1, maxLength: 500 } }, ["why"]),
      work: ({ why }: { why: string }) => handingOver(why),
    },
    back: {
      ...GOES,
      targets: [],
      description: "Goes back to the page before.",
      input: inputOf({}),
      work: () => moving("goBack", "go back"),
    },
    refresh: {
      ...LOOKS,
      timeoutMs: CALL_MS,
      description: "Loads the page anew.",
      input: inputOf({}),
      work: () => moving("reload", "load the page anew"),
    },
  };
}

interface WatchInput {
  readonly ref?: string;
  readonly every?: number;
  readonly within?: number;
}

/** The work of going to an address. The guard has let the call through, and so lets its host be reached. */
export function visiting(url: string, before?: (call: BrowserCall) => Promise<void>): BrowserWork {
  return {
    what: `visit ${url.slice(0, 200)}`,
    acts: true,
    perform: async (call) => {
      await before?.(call);
      const { session, signal } = call;
      if (!URL.canParse(url))
        throw browserError("M8600", { message: `\`${url.slice(0, 200)}\` is no address` });
      const parsed = new URL(url);
      if (/^https?:$/.test(parsed.protocol)) session.rules.visited.add(visitedKey(parsed));
      await session.visit(parsed.href, signal);
      return `You opened ${parsed.href.slice(0, 300)}.`;
    },
  };
}

/** The person takes the browser over from its picture while the question is open. */
function handingOver(why: string): BrowserWork {
  let answerText = "Nobody can be asked here.";
  return {
    what: "hand the browser over",
    acts: false,
    from: 1,
    before: async ({ ask }) => {
      const question = `the agent hands its browser over to you: ${why}`;
      const answer = await ask?.({
        ask: "select",
        question,
        options: [DONE, "it is not possible"],
      });
      if (answer !== undefined) answerText = `The person says: ${textOfAnswer(answer)}.`;
    },
    perform: async () => answerText,
  };
}

function textOfAnswer(answer: Answer): string {
  switch (answer.kind) {
    case "value":
    case "edit":
      return String(answer.value);
    case "approve":
      return DONE;
    case "deny":
      return answer.reason ?? "no";
    case "revise":
      return answer.text;
  }
}

function searching(browsers: AgentBrowsers, query: string): BrowserWork {
  const { options } = browsers;
  if (options.searchPage !== undefined) return visiting(searchAddress(options.searchPage, query));
  return {
    what: "search",
    acts: false,
    perform: async ({ signal }) => {
      const provider = options.search ?? searchProviderIn(process.env);
      if (provider === undefined) throw noSearchProvider();
      const { askEngine } = await import("../web/fetch-page.ts");
      const hits = await provider.search(query, HITS, (url, question) =>
        askEngine(url, { ...question, options, signal }),
      );
      const lines = hits.map(({ title, url, snippet }) => `- ${title}\n  ${url}\n  ${snippet}`);
      return [`The search found ${hits.length} pages:`, ...lines].join("\n");
    },
  };
}

function reading(from: number, length: number): BrowserWork {
  return {
    what: "read the page",
    acts: false,
    perform: async ({ session, signal }) => {
      const text = await markdownOf(await session.page(), signal);
      const to = Math.min(text.length, from + length);
      return [
        `The text of the page, characters ${Math.min(from, to)} to ${to} of ${text.length}:`,
        text.slice(from, to),
        "[end of the text]",
      ].join("\n");
    },
  };
}

function waiting(seconds: number, text: string | undefined): BrowserWork {
  return {
    what: "wait",
    acts: false,
    perform: async ({ session, signal }) => {
      const page = await session.page();
      const timeout = Math.min(seconds, WAIT_S_MAX) * 1_000;
      if (text === undefined) {
        await sleep(timeout, undefined, { signal });
        return `You waited ${seconds} s.`;
      }
      const found = page.getByText(text).first().waitFor({ timeout, signal });
      return await found.then(
        () => "The text is there.",
        () => `The text was not there within ${seconds} s.`,
      );
    },
  };
}

function moving(how: "goBack" | "reload", what: string): BrowserWork {
  return {
    what,
    acts: true,
    perform: async ({ session, signal }) => {
      await session.move(how, signal);
      return how === "goBack" ? "You went back." : "You loaded the page anew.";
    },
  };
}

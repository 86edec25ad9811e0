/** Declares the tools for tabs, and those that need no element: scrolling and keys. */
import type { Page } from "playwright-core";
import type { AgentBrowsers, BrowserCall } from "./agent-browsers.ts";
import { browserError } from "./browser-error.ts";
import { CALL_MS, type DeclaredBrowserTools, inputOf } from "./declared-tool.ts";
import { namedElement, shownElement } from "./named-element.ts";
import { findElement } from "./page/page-elements.ts";
import { settled } from "./page/settled.ts";
import { visiting } from "./reading-tools.ts";

const ACTS = { effect: "external", baseline: "maybe", timeoutMs: CALL_MS } as const;
const HARMLESS = { ...ACTS, baseline: "never", targets: [], idempotent: true } as const;
const PIXELS = { type: "integer", minimum: -20_000, maximum: 20_000 };
const TAB = { type: "integer", minimum: 1, description: "the number of the tab, from 1" };

export function tabTools(browsers: AgentBrowsers): DeclaredBrowserTools {
  return {
    tabs: {
      effect: "none",
      description: "Lists the tabs.",
      input: inputOf({}),
      work: () => ({
        what: "list the tabs",
        acts: false,
        perform: async () => "You list the tabs.",
      }),
    },
    open_tab: {
      ...ACTS,
      targets: ["url"],
      idempotent: true,
      description: "Opens a tab, with the page of an address if one is given.",
      input: inputOf({ url: { type: "string" } }),
      work: ({ url }: { url?: string }) => {
        const open = async ({ session }: BrowserCall) => {
          await session.newTab();
        };
        if (url !== undefined) return visiting(url, open);
        return {
          what: "open a tab",
          acts: true,
          perform: async (call) => {
            await open(call);
            return "You opened a tab.";
          },
        };
      },
    },
    switch_tab: {
      ...HARMLESS,
      description: "Shows another tab.",
      input: inputOf({ tab: TAB }, ["tab"]),
      work: ({ tab }: { tab: number }) => ({
        what: `show tab ${tab}`,
        acts: true,
        perform: async (call) => {
          const page = await tabAt(call, tab);
          call.session.show(page);
          await page.bringToFront();
          return `Tab ${tab} is shown.`;
        },
      }),
    },
    close_tab: {
      ...ACTS,
      baseline: "always",
      targets: [],
      idempotent: true,
      description: "Closes a tab.",
      input: inputOf({ tab: TAB }, ["tab"]),
      work: ({ tab }: { tab: number }) => ({
        what: `close tab ${tab}`,
        acts: true,
        perform: async (call) => {
          const page = await tabAt(call, tab);
          await page.close();
          return `You closed tab ${tab}.`;
        },
      }),
    },
    scroll: {
      ...HARMLESS,
      description: "Scrolls the page, or the element of a ref, by pixels; or to the element.",
      input: inputOf({ ref: { type: "string" }, down: PIXELS, right: PIXELS }),
      work: ({ ref, down = 0, right = 0 }: { ref?: string; down?: number; right?: number }) => ({
        what: "scroll",
        acts: true,
        perform: async (call) => {
          const { session } = call;
          const page = await session.page();
          if (ref !== undefined) {
            const element = await findElement(page, namedElement(call, ref), call.signal);
            await element.scrollIntoViewIfNeeded({ timeout: 5_000, signal: call.signal });
            if (down !== 0 || right !== 0)
              await element.hover({ timeout: 5_000, signal: call.signal });
          }
          if (down !== 0 || right !== 0) await page.mouse.wheel(right, down);
          await settled(session);
          return "You scrolled.";
        },
      }),
    },
    keys: {
      ...ACTS,
      targets: [],
      shows: shownElement,
      description: "Presses a key or a combination of keys: Enter, Escape, Control+a.",
      input: inputOf({ keys: { type: "string", minLength: 1, maxLength: 60 } }, ["keys"]),
      work: ({ keys }: { keys: string }) => ({
        what: `press ${keys}`,
        acts: true,
        once: true,
        ...(browsers.options.mode === "coordinates" ? { picture: "plain" as const } : {}),
        perform: async ({ session }) => {
          const page = await session.page();
          await page.keyboard.press(keys);
          await settled(session);
          return `You pressed ${keys}.`;
        },
      }),
    },
  };
}

async function tabAt({ session }: BrowserCall, tab: number): Promise<Page> {
  await session.page();
  const page = session.pages[tab - 1];
  if (page !== undefined) return page;
  throw browserError("M8626", {
    message: `there is no tab ${tab}`,
    hint: `there are ${session.pages.length}`,
  });
}

/** Declares the tools that act on places of a picture, in pixels, for models that see. */
import type { Page } from "playwright-core";
import type { AgentBrowsers, BrowserWork } from "./agent-browsers.ts";
import { CALL_MS, type DeclaredBrowserTools, inputOf, OF_STRANGERS } from "./declared-tool.ts";
import { shownElement } from "./named-element.ts";
import { settled } from "./page/settled.ts";

const ACTS = {
  effect: "external",
  baseline: "maybe",
  targets: [],
  timeoutMs: CALL_MS,
  shows: shownElement,
} as const;

export function placeTools(browsers: AgentBrowsers): DeclaredBrowserTools {
  const { width, height } = browsers.options.viewport ?? { width: 1440, height: 900 };
  const x = {
    type: "integer",
    minimum: 0,
    maximum: width - 1,
    description: "pixels from the left",
  };
  const y = {
    type: "integer",
    minimum: 0,
    maximum: height - 1,
    description: "pixels from the top",
  };
  return {
    click_at: {
      ...ACTS,
      description: `Clicks at a place of the picture. ${OF_STRANGERS}`,
      input: inputOf({ x, y }, ["x", "y"]),
      work: (at: PicturePoint) =>
        acting(`click at ${at.x}, ${at.y}`, (page) => page.mouse.click(at.x, at.y)),
    },
    move_to: {
      ...ACTS,
      baseline: "never",
      idempotent: true,
      description: "Moves the mouse to a place of the picture.",
      input: inputOf({ x, y }, ["x", "y"]),
      work: (at: PicturePoint) =>
        acting(`move to ${at.x}, ${at.y}`, (page) => page.mouse.move(at.x, at.y)),
    },
    type_text: {
      ...ACTS,
      description: "Types a text where the page has its cursor.",
      input: inputOf({ text: { type: "string", maxLength: 10_000 } }, ["text"]),
      work: ({ text }: { text: string }) =>
        acting("type the text", (page) => page.keyboard.insertText(text)),
    },
    drag: {
      ...ACTS,
      description: "Drags from a place of the picture to another.",
      input: inputOf({ x, y, toX: x, toY: y }, ["x", "y", "toX", "toY"]),
      work: (at: PicturePoint & { toX: number; toY: number }) =>
        acting(`drag to ${at.toX}, ${at.toY}`, async ({ mouse }) => {
          await mouse.move(at.x, at.y);
          await mouse.down();
          await mouse.move(at.toX, at.toY, { steps: 10 });
          await mouse.up();
        }),
    },
  };
}

interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

function acting(what: string, act: (page: Page) => Promise<void>): BrowserWork {
  return {
    what,
    acts: true,
    once: true,
    picture: "plain",
    perform: async ({ session }) => {
      const page = await session.page();
      await act(page);
      await settled(session);
      return `Done: ${what}.`;
    },
  };
}

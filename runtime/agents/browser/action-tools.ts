/** Declares the tools that act on elements, which agents name by their refs. */
import type { Locator } from "playwright-core";
import type { ToolCaller } from "../tools/tool-caller.ts";
import { shortText } from "../values/text-size.ts";
import type { AgentBrowsers, BrowserCall, BrowserWork } from "./agent-browsers.ts";
import { CALL_MS, type DeclaredBrowserTools, inputOf, OF_STRANGERS } from "./declared-tool.ts";
import { namedElement, shownElement } from "./named-element.ts";
import { highlight } from "./page/highlight.ts";
import { findElement } from "./page/page-elements.ts";
import { settled } from "./page/settled.ts";

const ACTION_MS = 5_000;
const OPTIONS_MAX = 200;
const UPLOAD_BYTES_MAX = 1024 * 1024;

const REF = {
  type: "string",
  pattern: "^[a-z0-9]{1,12}$",
  description: "such as e12, as the page was shown last",
};

export function actionTools(browsers: AgentBrowsers): DeclaredBrowserTools {
  const acting = {
    effect: "external",
    baseline: "maybe",
    // The guard decides on the new address when the page goes there.
    targets: [],
    timeoutMs: CALL_MS,
    shows: shownElement,
    preview: (input: { readonly ref: string }, caller: ToolCaller) =>
      highlight(browsers.openSession(caller), input.ref),
  } as const;
  const timeout = browsers.options.actionMs ?? ACTION_MS;
  const ref = REF;
  return {
    click: {
      ...acting,
      description: `Clicks an element. ${OF_STRANGERS}`,
      input: inputOf({ ref, double: { type: "boolean" } }, ["ref"]),
      work: (input: { ref: string; double?: boolean }) =>
        on(input.ref, ["click", "clicked"], (element, { signal }) =>
          element.click({ timeout, signal, clickCount: input.double === true ? 2 : 1 }),
        ),
    },
    type: {
      ...acting,
      description:
        "Types a text into a field, in place of what is in it; with `submit` also presses Enter.",
      input: inputOf(
        {
          ref,
          text: { type: "string", maxLength: 10_000 },
          submit: { type: "boolean" },
          append: { type: "boolean", description: "keeps what is in it" },
        },
        ["ref", "text"],
      ),
      work: ({ text, submit, append, ...input }: TypeInput) =>
        on(input.ref, ["type into", "typed into"], async (element, { signal }) => {
          if (append === true) await element.pressSequentially(text, { timeout, signal });
          else await element.fill(text, { timeout, signal });
          if (submit === true) await element.press("Enter", { timeout, signal });
        }),
    },
    select: {
      ...acting,
      description: "Chooses options of a list by their labels or values.",
      input: inputOf(
        { ref, values: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 50 } },
        ["ref", "values"],
      ),
      work: (input: { ref: string; values: readonly string[] }) =>
        on(input.ref, ["choose in", "chose in"], async (element, { signal }) => {
          await element.selectOption([...input.values], { timeout, signal });
        }),
    },
    options: {
      effect: "none",
      description: "Lists the options of a list.",
      input: inputOf({ ref }, ["ref"]),
      work: (input: { ref: string }) => ({
        what: `list the options of ${input.ref}`,
        acts: false,
        perform: async (call) => {
          const page = await call.session.page();
          const named = namedElement(call, input.ref);
          const element = await findElement(page, named, call.signal);
          const all = await element.locator("option").allTextContents();
          const shown = all
            .slice(0, OPTIONS_MAX)
            .map((one) => JSON.stringify(shortText(one.trim(), 80)));
          return `${named.name} has ${all.length} options: ${shown.join(", ")}`;
        },
      }),
    },
    hover: {
      ...acting,
      baseline: "never",
      idempotent: true,
      description: "Moves the mouse over an element.",
      input: inputOf({ ref }, ["ref"]),
      work: (input: { ref: string }) =>
        on(input.ref, ["hover over", "moved the mouse over"], (element, { signal }) =>
          element.hover({ timeout, signal }),
        ),
    },
    upload: {
      ...acting,
      baseline: "always",
      description: "Gives a text as a file to a field for files.",
      input: inputOf(
        {
          ref,
          name: { type: "string", minLength: 1, maxLength: 100 },
          text: { type: "string", maxLength: UPLOAD_BYTES_MAX },
        },
        ["ref", "name", "text"],
      ),
      work: ({ ref: field, name, text }: { ref: string; name: string; text: string }) =>
        on(field, ["give a file to", "gave a file to"], async (element, { signal }) => {
          const file = { name, mimeType: "text/plain", buffer: Buffer.from(text) };
          await element.setInputFiles(file, { timeout, signal });
        }),
    },
  };
}

interface TypeInput {
  readonly ref: string;
  readonly text: string;
  readonly submit?: boolean;
  readonly append?: boolean;
}

/** The work of acting on one element. */
function on(
  ref: string,
  [verb, done]: readonly [to: string, done: string],
  act: (element: Locator, call: BrowserCall) => Promise<void>,
): BrowserWork {
  return {
    what: `${verb} ${ref}`,
    acts: true,
    once: true,
    perform: async (call) => {
      const { session, signal } = call;
      const page = await session.page();
      const named = namedElement(call, ref);
      const element = await findElement(page, named, signal);
      await act(element, call);
      await settled(session);
      return `You ${done} ${named.name}.`;
    },
  };
}

/** Makes the tools by which an agent uses a browser. */
import { TIMER_MAX_MS } from "../../clock.ts";
import { type CalledToolContext, type Tool, type ToolContext, tool } from "../scope/tools.ts";
import { actionTools } from "./action-tools.ts";
import { AgentBrowsers } from "./agent-browsers.ts";
import type { BrowserToolsOptions } from "./browser-options.ts";
import { createBrowserReport } from "./browser-report.ts";
import { CALL_MS } from "./declared-tool.ts";
import { PERSON_MS } from "./live-page.ts";
import { placeTools } from "./place-tools.ts";
import { readingTools } from "./reading-tools.ts";
import { tabTools } from "./tab-tools.ts";

type BrowserTool<I> = Tool<(input: I, context: ToolContext) => Promise<unknown>>;

/** An element by its ref, as an observation shows it: `e12`. */
export interface ElementInput {
  readonly ref: string;
}

/** The scope's `browser`. Results are texts, or texts and a picture. */
export interface BrowserTools {
  readonly visit: BrowserTool<{ readonly url: string }>;
  readonly search: BrowserTool<{ readonly query: string }>;
  readonly observe: BrowserTool<{ readonly from?: number; readonly picture?: boolean }>;
  readonly read: BrowserTool<{ readonly from?: number; readonly length?: number }>;
  readonly wait: BrowserTool<{ readonly seconds?: number; readonly text?: string }>;
  readonly watch: BrowserTool<{
    readonly ref?: string;
    readonly every?: number;
    readonly within?: number;
  }>;
  readonly hand_over: BrowserTool<{ readonly why: string }>;
  readonly back: BrowserTool<Readonly<Record<never, never>>>;
  readonly refresh: BrowserTool<Readonly<Record<never, never>>>;
  readonly scroll: BrowserTool<{
    readonly ref?: string;
    readonly down?: number;
    readonly right?: number;
  }>;
  readonly keys: BrowserTool<{ readonly keys: string }>;
  readonly tabs: BrowserTool<Readonly<Record<never, never>>>;
  readonly open_tab: BrowserTool<{ readonly url?: string }>;
  readonly switch_tab: BrowserTool<{ readonly tab: number }>;
  readonly close_tab: BrowserTool<{ readonly tab: number }>;
  /** This tool and the next five belong to `mode: "labels"`. */
  readonly click: BrowserTool<ElementInput & { readonly double?: boolean }>;
  readonly type: BrowserTool<
    ElementInput & { readonly text: string; readonly submit?: boolean; readonly append?: boolean }
  >;
  readonly select: BrowserTool<ElementInput & { readonly values: readonly string[] }>;
  readonly options: BrowserTool<ElementInput>;
  readonly hover: BrowserTool<ElementInput>;
  readonly upload: BrowserTool<ElementInput & { readonly name: string; readonly text: string }>;
  /** This tool and the next three belong to `mode: "coordinates"`; places are pixels of the picture. */
  readonly click_at: BrowserTool<PlaceInput>;
  readonly move_to: BrowserTool<PlaceInput>;
  readonly type_text: BrowserTool<{ readonly text: string }>;
  readonly drag: BrowserTool<PlaceInput & { readonly toX: number; readonly toY: number }>;
  /** Ends the browser that calls of TypeScript itself have started; those of agents end with their runs. No tool. */
  readonly end: () => Promise<void>;
}

export interface PlaceInput {
  readonly x: number;
  readonly y: number;
}

/**
 * Tools over a browser. Nothing is started before the first call. Each agent has a browser of its own, with its cookies and tabs,
 * which ends with the run; it reaches public addresses that the guard permits, and no others.
 */
export function createBrowserTools(options: BrowserToolsOptions = {}): BrowserTools {
  const browsers = new AgentBrowsers(options);
  const acting = options.mode === "coordinates" ? placeTools(browsers) : actionTools(browsers);
  const report = options.report === false ? {} : { report: createBrowserReport(browsers) };
  const made = [readingTools(browsers), tabTools(browsers), acting].map((group) =>
    Object.fromEntries(
      Object.entries(group).map(([name, { work, preview, shows, timeoutMs, ...declared }]) => [
        name,
        tool(
          async (input: never, context: CalledToolContext) => {
            const result = await browsers.call(work(input, context), context);
            return context.caller === undefined ? result.value : result;
          },
          {
            ...declared,
            // A person may have the browser first.
            timeoutMs: Math.min(PERSON_MS + (timeoutMs ?? CALL_MS), TIMER_MAX_MS),
            ...(shows === undefined ? {} : { shows }),
            ...(preview === undefined ? {} : { preview }),
            ...report,
          },
        ),
      ]),
    ),
  );
  const all: object = Object.assign({}, ...made, { end: () => browsers.close() });
  return all as BrowserTools;
}

/** Renders a specification with its rows to SVG by Vega, without a browser or a network. */
import { messageOf, RunError } from "../../../runtime/index.ts";
import { escapeMarkup } from "../escape.ts";
import { textWidth } from "../graph/text-width.ts";
import { themeStyle } from "./theme.ts";

/** The text in the picture for screen readers. */
export interface PictureText {
  readonly title: string;
  readonly description: string;
}

export async function renderSvg(
  spec: Readonly<Record<string, unknown>>,
  text: PictureText,
): Promise<string> {
  const { vega, vegaLite } = await libraries();
  try {
    const compiled = vegaLite.compile(spec as never, { logger: silent });
    const view = new vega.View(vega.parse(compiled.spec), {
      renderer: "none",
      loader: { load: refuse, sanitize: leadNowhere, http: refuse, file: refuse } as never,
      logger: silent,
    });
    try {
      await view.runAsync();
      return titled(await view.toSVG(), text);
    } finally {
      view.finalize();
    }
  } catch (error) {
    throw undrawable(error);
  }
}

function undrawable(cause: unknown): RunError {
  if (cause instanceof RunError) return cause;
  return new RunError("M7602", `the chart can't be drawn: ${messageOf(cause)}`, {
    hint: "check the marks, channels and names of fields in the specification",
    cause,
  });
}

let loading: ReturnType<typeof load> | undefined;

function libraries(): ReturnType<typeof load> {
  loading ??= load();
  return loading;
}

async function load() {
  const [vega, vegaLite] = await Promise.all([import("vega"), import("vega-lite")]);
  // Without a canvas Vega guesses every character as wide as the widest: titles would stand far away.
  const metrics = (vega as unknown as { textMetrics: { width: TextWidth } }).textMetrics;
  metrics.width = (item, text) => textWidth(String(text ?? item.text ?? ""), item.fontSize ?? 11);
  return { vega, vegaLite };
}

type TextWidth = (
  item: { readonly fontSize?: number; readonly text?: unknown },
  text?: unknown,
) => number;

async function refuse(): Promise<never> {
  throw new RunError("M7603", "a chart loads nothing", {
    hint: "give the rows as the first argument of `chart`",
  });
}

/** An address that comes up all the same is left out: what Vega does with a refusal ends the process. */
async function leadNowhere(): Promise<object> {
  return {};
}

// Vega's warnings are not shown to readers of the notebook; errors are thrown.
const silent = {
  level: () => silent,
  error: (...parts: readonly unknown[]) => {
    throw new Error(parts.map(messageOf).join(" "));
  },
  warn: () => silent,
  info: () => silent,
  debug: () => silent,
} as never;

function titled(svg: string, { title, description }: PictureText): string {
  const end = svg.indexOf(">") + 1;
  const style = themeStyle(svg, "marks");
  // A picture placed directly in a page is no wider than the page.
  const open = svg.slice(0, end).replace(/>$/, ' style="max-width:100%;height:auto">');
  const head = `<title>${escapeMarkup(title)}</title><desc>${escapeMarkup(description)}</desc>${style}`;
  return `${open}${head}${svg.slice(end)}`;
}

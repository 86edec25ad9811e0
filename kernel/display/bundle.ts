/** Makes bundles: the forms of a value by mime type. */
import type { Bundle } from "../cell-output.ts";

export const HTML = "text/html";
export const MARKDOWN = "text/markdown";
export const PLAIN = "text/plain";
export const SVG = "image/svg+xml";
export const VEGA_LITE = "application/vnd.vegalite.v5+json";
/** The mime type with a run's drawing for the headless client. */
export const RUN_JSON = "application/vnd.madrigal.run+json";

/** Without metadata; every value of ours has it so. */
export function bundleOf(data: Readonly<Record<string, unknown>>): Bundle {
  return { data, metadata: {} };
}

/** The tools of the two teams. */
import { tool } from "madrigal";

/** Searches the web. */
export const search = tool((query: string) => [`https://example.org/${query}`], { effect: "none" });
/** Reads a page. */
export const read = tool((url: string) => `the text of ${url}`, { effect: "none" });
/** Draws a chart of numbers. */
export const chart = tool((numbers: number[]) => `${numbers.length} bars`, { effect: "workspace" });

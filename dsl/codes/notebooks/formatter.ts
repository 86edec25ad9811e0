/** Explanations of the error codes M79xx: the formatter. */
import type { CodePage } from "../page.ts";

export const kernelFormat = {
  // ── 79: formatting ────────────────────────────────────────────────────────────────────────────
  M7901: {
    title: "a text that the formatter leaves as it is",
    why: "Formatting changes white space and the signs between items that may be left out, so it needs no text without faults: where a word or a bracket is missing, it keeps the lines and mends the spaces (`madrigal fmt` leaves such a file alone). A prompt or comment that is never closed does: behind a missing backtick all prompts read as code and all code as prompt, and the white space of a prompt belongs to its author. Close it and format again. A text whose lines stand more than 100 brackets deep is left alone too.",
  },
  M7902: {
    title: "a file that is not named like a program",
    why: "The formatter needs no text without faults, so it would format anything, a page of Markdown or TypeScript too, and what comes out would be neither. It writes only files that end in `.madrigal`, and the cells of graphs in notebooks, which end in `.ipynb`. A text with another name is given on stdin: `madrigal fmt - < FILE > NEW`.",
  },
} as const satisfies Record<`M79${number}`, CodePage>;

/** Declares what a cell may show: the closed set of outputs that threads, notebook files and the page exchange. */

/** One value in several forms, by mime type; metadata by mime type too. */
export interface Bundle {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export type CellOutput =
  | { readonly kind: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  /** `displayId` lets a later `update` replace it, wherever it is shown. */
  | { readonly kind: "display"; readonly bundle: Bundle; readonly displayId?: string }
  | { readonly kind: "update"; readonly bundle: Bundle; readonly displayId: string }
  /** The value of the cell's last expression. */
  | { readonly kind: "result"; readonly bundle: Bundle }
  | ErrorOutput
  /** A text to read, for the front end's pager. */
  | { readonly kind: "page"; readonly bundle: Bundle }
  | { readonly kind: "clear"; readonly wait: boolean };

/** `traceback` is what front ends show, joined by newlines; its lines may hold ANSI colours of ours, never of others. */
export interface ErrorOutput {
  readonly kind: "error";
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

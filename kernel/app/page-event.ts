/** Declares what a page of an app is told of its kernel. */

/** Something that a page is told; `kind` is the name of the event. */
export interface PageEvent {
  readonly kind: "all" | "outputs" | "widget" | "message" | "closed" | "question" | "status";
  readonly data: unknown;
}

export type PageListener = (event: PageEvent) => void;

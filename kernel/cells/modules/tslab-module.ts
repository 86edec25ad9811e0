/** Serves `import … from "tslab"`, so that notebooks written for tslab show the same. */
import { randomUUID } from "node:crypto";
import { RunError } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { currentHost } from "../../host.ts";

const TEXTS = {
  javascript: "application/javascript",
  html: "text/html",
  markdown: "text/markdown",
  latex: "text/latex",
  svg: "image/svg+xml",
  text: "text/plain",
} as const;

const BYTES = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  pdf: "application/pdf",
} as const;

type DisplayContent = string | Uint8Array;
type ShowContent = (bundle: Bundle) => void;

/** Shows what a cell has as text or bytes of a kind, or of any by `raw`. */
export type Display = {
  readonly [Name in keyof typeof TEXTS | keyof typeof BYTES]: (content: DisplayContent) => void;
} & { readonly raw: (mime: string, content: DisplayContent) => void };

/** Shows below what the cell has shown so far. */
export const display: Display = displayBy((bundle) => host().output({ kind: "display", bundle }));

/** A place of its own: what is shown there later replaces what was there. */
export function newDisplay(): Display {
  const displayId = randomUUID();
  let isThere = false;
  return displayBy((bundle) => {
    host().output({ kind: isThere ? "update" : "display", bundle, displayId });
    isThere = true;
  });
}

/** Writes values as `console.log` does. */
export function print(...values: readonly unknown[]): void {
  console.log(...values);
}

/** The versions of what the cell runs on; tslab exports them. */
export const versions = { node: process.versions.node };

function displayBy(show: ShowContent): Display {
  const raw = (mime: string, content: DisplayContent) =>
    show({
      data: { [mime]: typeof content === "string" ? content : base64(content) },
      metadata: {},
    });
  const methods = Object.entries({ ...TEXTS, ...BYTES }).map(
    ([name, mime]) => [name, (content: DisplayContent) => raw(mime, content)] as const,
  );
  return { ...Object.fromEntries(methods), raw } as Display;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function host() {
  const host = currentHost();
  if (host !== undefined) return host;
  throw new RunError("M7503", "nothing can be shown here: no notebook is connected");
}

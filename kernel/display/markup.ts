/** Makes values that show themselves as HTML, Markdown, SVG or a picture: the tags `html`, `md` and `svg`, and `image`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { types } from "node:util";
import { RunError } from "../../runtime/index.ts";
import { escapeMarkdown, escapeMarkup } from "./escape.ts";
import { counted } from "./visible.ts";

/** A value that shows itself by mime type, where it is the last of a cell, `display`ed, or a hole of a tag of its kind. */
export interface Markup {
  readonly mime: "text/html" | "text/markdown" | "image/svg+xml";
  readonly text: string;
  toMimeBundle(): Readonly<Record<string, string>>;
  toString(): string;
}

/** A tag of templates. Holes are texts, numbers or other values, lists of them, or markup of the same kind, which alone is not escaped. */
export type MarkupTag = (parts: TemplateStringsArray, ...holes: readonly unknown[]) => Markup;

/** HTML: html`<b>${name}</b>`. */
export const html = markupTag("text/html", escapeMarkup);

/** Markdown: md`**${name}** has ${n} songs`. */
export const md = markupTag("text/markdown", escapeMarkdown);

/** A drawing: svg`<svg viewBox="0 0 ${w} 9">…</svg>`. */
export const svg = markupTag("image/svg+xml", escapeMarkup);

function markupTag(mime: Markup["mime"], escaped: (text: string) => string): MarkupTag {
  return (parts, ...holes) => {
    const shown = (hole: unknown): string => {
      if (Array.isArray(hole)) return hole.map(shown).join("");
      if (hole instanceof MarkupText && hole.mime === mime) return hole.text;
      return hole === undefined || hole === null ? "" : escaped(String(hole));
    };
    const text = parts.reduce((before, part, at) => `${before}${shown(holes[at - 1])}${part}`);
    return new MarkupText(mime, text.trim());
  };
}

class MarkupText implements Markup {
  readonly mime: Markup["mime"];
  readonly text: string;

  constructor(mime: Markup["mime"], text: string) {
    this.mime = mime;
    this.text = text;
  }

  toMimeBundle(): Readonly<Record<string, string>> {
    return { [this.mime]: this.text, "text/plain": this.text };
  }

  toString(): string {
    return this.text;
  }
}

/** A picture that shows itself. */
export interface PictureValue {
  readonly mime: string;
  readonly bytes: Uint8Array;
  toMimeBundle(): {
    readonly data: Readonly<Record<string, string>>;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
}

/** The size at which a picture is shown, in pixels; its own if not said. */
export interface PictureSize {
  readonly width?: number;
  readonly height?: number;
}

/** The kinds of pictures by their first bytes. */
const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF....WEBP/s],
  ["image/svg+xml", /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/],
];

const BYTES_MAX = 16 * 1024 * 1024;

/**
 * A picture of a file (a path from the working folder, or a `file:` address) or of bytes: PNG, JPEG, GIF, WebP or SVG. Throws M7640 for
 * what is none, can't be read, or has more than 16 MiB.
 */
export function image(
  source: string | URL | Uint8Array | ArrayBuffer,
  size: PictureSize = {},
): PictureValue {
  const bytes = bytesOf(source);
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const mime = SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
  if (mime === undefined)
    throw pictureError(source, "its bytes are no PNG, JPEG, GIF, WebP or SVG");
  if (bytes.byteLength > BYTES_MAX)
    throw pictureError(source, `it has ${counted(bytes.byteLength, "byte")}, more than 16 MiB`);
  const form = mime === "image/svg+xml" ? "utf8" : "base64";
  return {
    mime,
    bytes,
    toMimeBundle: () => ({
      data: {
        [mime]: Buffer.from(bytes).toString(form),
        "text/plain": `(${mime}, ${counted(bytes.byteLength, "byte")})`,
      },
      metadata: { [mime]: { ...size } },
    }),
  };
}

function bytesOf(source: string | URL | Uint8Array | ArrayBuffer): Uint8Array {
  // Bytes of cells are of another realm.
  if (types.isAnyArrayBuffer(source)) return new Uint8Array(source);
  if (ArrayBuffer.isView(source))
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const place = String(source);
  try {
    return readFileSync(place.startsWith("file:") ? fileURLToPath(place) : place);
  } catch (cause) {
    throw pictureError(source, `it can't be read: ${(cause as Error).message}`, cause);
  }
}

function pictureError(
  source: string | URL | Uint8Array | ArrayBuffer,
  why: string,
  cause?: unknown,
): RunError {
  const isPlace = typeof source === "string" || source instanceof URL;
  const what = isPlace ? `"${String(source)}"` : "this";
  return new RunError("M7640", `${what} is no picture that can be shown: ${why}`, {
    hint: "`image` takes the path of a file or its bytes: `image(readFileSync(path))`",
    cause,
  });
}

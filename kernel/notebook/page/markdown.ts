/** Turns Markdown of cells and outputs into HTML without raw HTML, links or remote pictures. */
import MarkdownIt, { type Env, type Token } from "markdown-it";
import { escapeMarkup } from "../../display/escape.ts";
import type { MimeData } from "../notebook.ts";
import { pictureHtml } from "./picture.ts";

export type Attachments = Readonly<Record<string, MimeData>>;

/** Links stand as text with their address behind; of pictures only attached ones are shown. */
export function markdownToHtml(text: string, attachments: Attachments = {}): string {
  return markdown.render(text, { attachments });
}

const markdown = new MarkdownIt({ html: false, linkify: false });

markdown.renderer.rules.link_open = () => '<span class="nb-link">';

markdown.renderer.rules.link_close = (tokens, index) => {
  const open = tokens.slice(0, index).findLast(({ type }) => type === "link_open");
  const address = String(open?.attrGet("href") ?? "");
  // `<https://…>` shows its address already.
  const isShown = open?.markup === "autolink" || address === "";
  return isShown ? "</span>" : `</span> <span class="nb-address">(${escapeMarkup(address)})</span>`;
};

markdown.renderer.rules.image = (tokens, index, _options, env = {}) => {
  const token = tokens[index];
  return token === undefined ? "" : imageHtml(token, env);
};

function imageHtml(token: Token, env: Env): string {
  const alt = token.content;
  const source = String(token.attrGet("src") ?? "");
  const [, mime, base64] = /^data:(image\/\w+);base64,(.+)$/.exec(source) ?? [];
  if (mime !== undefined && base64 !== undefined) return pictureHtml(mime, base64, alt) ?? "";
  const name = /^attachment:(.+)$/.exec(source)?.[1];
  const attached = attachedPicture(name, env, alt);
  if (attached !== undefined) return attached;
  return `<span class="nb-link">${escapeMarkup(alt || "picture")}</span> <span class="nb-address">(${escapeMarkup(source)})</span>`;
}

function attachedPicture(name: string | undefined, env: Env, alt: string): string | undefined {
  const { attachments = {} } = env as { readonly attachments?: Attachments };
  const entry = name === undefined ? undefined : attachments[decoded(name)];
  for (const [mime, value] of Object.entries(entry ?? {})) {
    const html = typeof value === "string" ? pictureHtml(mime, value, alt) : undefined;
    if (html !== undefined) return html;
  }
  return undefined;
}

/** A name that is no address as it is written: no attachment has it. */
function decoded(name: string): string {
  try {
    return decodeURI(name);
  } catch {
    return name;
  }
}

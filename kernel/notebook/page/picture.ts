/** Makes the pictures that a page may hold; none of their types can hold a script. */
import { escapeMarkup } from "../../display/escape.ts";

/** Pictures that a page may hold: none of them can hold a script. */
export const PICTURES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** A picture inside of the page; undefined for another type, or for what is no base64. */
export function pictureHtml(mime: string, base64: string, alt: string): string | undefined {
  const data = base64.replaceAll(/\s/g, "");
  if (!PICTURES.includes(mime) || !/^[A-Za-z0-9+/]+=*$/.test(data)) return undefined;
  return `<img alt="${escapeMarkup(alt)}" src="data:${mime};base64,${data}">`;
}

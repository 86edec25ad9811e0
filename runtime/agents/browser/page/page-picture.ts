/** Takes pictures of a page: as it is, or with its interactive elements numbered by their refs (set of marks). */
import type { Page } from "playwright-core";
import { shortText } from "../../values/text-size.ts";
import { HIDE_MARKS, SHOW_MARKS } from "./page-marks.ts";
import { nameInLine } from "./page-text.ts";
import { withinMs } from "./within-ms.ts";

export interface PagePicture {
  /** Base64. */
  readonly data: string;
  readonly mime: "image/jpeg";
  /** The marked elements, and names of others that are further down or up; empty without marks. */
  readonly list: string;
}

const PICTURE_MS = 10_000;
const QUALITY = 60;
/** The qualities of a small picture, of which the first that fits is taken. */
const QUALITIES = [60, 30, 5];
const SMALL_MAX = 100_000;
const MARKS_MAX = 150;
const FURTHER_MAX = 30;

/** The roles of elements that somebody acts on. */
const INTERACTIVE =
  /^(?:button|link|textbox|searchbox|combobox|listbox|option|checkbox|radio|switch|slider|spinbutton|tab|menuitem\w*|treeitem)\b/;

interface MarkedElement {
  readonly ref: string;
  readonly name: string;
  readonly box: readonly [x: number, y: number, width: number, height: number];
}

export async function pictureOf(
  page: Page,
  how: "numbered" | "plain",
  signal: AbortSignal,
): Promise<PagePicture> {
  if (how === "plain") return { ...(await shoot(page, signal)), list: "" };
  const all = await elementsOf(page, signal);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const isHere = ({ box: [x, y, w, h] }: MarkedElement) =>
    w > 0 && h > 0 && x + w > 0 && y + h > 0 && x < width && y < height;
  const here = all.filter(isHere).slice(0, MARKS_MAX);
  const further = all.filter((one) => !isHere(one)).slice(0, FURTHER_MAX);
  const marks = JSON.stringify(here.map(({ ref, box }) => [ref, ...box]));
  await withinMs(PICTURE_MS, page.evaluate(`(${SHOW_MARKS})(${marks})`));
  try {
    const picture = await shoot(page, signal);
    return { ...picture, list: listOf(here, further) };
  } finally {
    await withinMs(PICTURE_MS, page.evaluate(HIDE_MARKS)).catch(() => undefined);
  }
}

async function shoot(page: Page, signal: AbortSignal) {
  const options = { type: "jpeg", quality: QUALITY, timeout: PICTURE_MS, signal } as const;
  const bytes = await page.screenshot({ ...options, animations: "disabled", scale: "css" });
  return { data: bytes.toString("base64"), mime: "image/jpeg" as const };
}

/** Takes a picture as it is, of at most 100 kB in JPEG; undefined where the page is too colourful for that. */
export async function smallPicture(page: Page, timeout: number): Promise<Uint8Array | undefined> {
  for (const quality of QUALITIES) {
    const bytes = await page.screenshot({ type: "jpeg", quality, scale: "css", timeout });
    if (bytes.byteLength <= SMALL_MAX) return bytes;
  }
  return undefined;
}

async function elementsOf(page: Page, signal: AbortSignal): Promise<readonly MarkedElement[]> {
  const text = await page.ariaSnapshot({ mode: "ai", boxes: true, timeout: PICTURE_MS, signal });
  return text.split("\n").flatMap((line) => {
    const name = nameInLine(line);
    if (!INTERACTIVE.test(name)) return [];
    const plain = line.replace(/"(?:[^"\\]|\\.)*"/g, "");
    const ref = /\[ref=(\w+)\]/.exec(plain)?.[1];
    const box = /\[box=([-\d.,]+)\]/.exec(plain)?.[1]?.split(",").map(Number);
    if (ref === undefined || box?.length !== 4) return [];
    return [{ ref, name, box: box as unknown as MarkedElement["box"] }];
  });
}

function listOf(here: readonly MarkedElement[], further: readonly MarkedElement[]): string {
  const visible = here.map(({ ref, name }) => `${ref} ${shortText(name, 80)}`);
  const names = further.map(({ name }) => shortText(name, 80));
  return [
    `In the picture: ${visible.join(", ") || "nothing to act on"}`,
    ...(names.length === 0 ? [] : [`Outside of it: ${names.join(", ")}`]),
  ].join("\n");
}

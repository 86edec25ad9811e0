/** Finds the tooltips that would load a picture. */
import type { Row } from "../../../runtime/index.ts";
import { fieldPath, valueAt } from "./field-path.ts";

const PICTURE = "image";

/**
 * Returns, in words, the part of a chart whose tooltip would load a picture; undefined if all are
 * texts.
 */
export function tooltipPicture(spec: object, rows: readonly Row[]): string | undefined {
  for (const tooltip of tooltipsIn(spec)) {
    const found = pictureOf(tooltip, spec, rows);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All that is said of tooltips: by channels, marks and settings. */
function tooltipsIn(part: unknown): readonly unknown[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "tooltip" ? [value] : tooltipsIn(value),
  );
}

function pictureOf(tooltip: unknown, spec: object, rows: readonly Row[]): string | undefined {
  if (tooltip === null || tooltip === false || typeof tooltip === "string") return undefined;
  if (Array.isArray(tooltip)) return tooltip.some(isPicture) ? "a field of the tooltip" : undefined;
  if (typeof tooltip !== "object") return channelPicture(spec);
  const { field, content } = tooltip as { readonly field?: unknown; readonly content?: unknown };
  if (typeof field === "string") {
    const isInField = rows.some((row) => hasPicture(valueAt(row, fieldPath(field))));
    return isInField ? `\`${field}\`, which the tooltip shows,` : undefined;
  }
  if (content === "data") {
    const isMade = hasName(spec, PICTURE);
    return isMade || rows.some(hasPicture) ? "a column of the rows" : undefined;
  }
  if (content !== undefined) return channelPicture(spec);
  // An expression, or a value: it may make an object of anything.
  return JSON.stringify(tooltip).includes(PICTURE) || rows.some(hasPicture)
    ? "what the tooltip works out"
    : undefined;
}

/** The tooltip has what the channels show, under their titles. */
function channelPicture(spec: unknown): string | undefined {
  if (typeof spec !== "object" || spec === null) return undefined;
  for (const value of Object.values(spec)) {
    if (isPicture(value) || channelPicture(value) !== undefined) return "a channel";
  }
  return undefined;
}

/**
 * Returns whether a channel shows a picture: its field has the name for pictures, by itself or by
 * its title, axis or legend.
 */
function isPicture(channel: unknown): boolean {
  if (typeof channel !== "object" || channel === null || !("field" in channel)) return false;
  const { field, title, axis, legend, header } = channel as Readonly<Record<string, unknown>>;
  const titles = [axis, legend, header].flatMap((guide) =>
    typeof guide === "object" && guide !== null && "title" in guide ? [guide.title] : [],
  );
  const [shown = field] = [...titles, ...(title === undefined ? [] : [title])];
  return shown === PICTURE;
}

function hasName(part: unknown, name: string): boolean {
  if (part === name) return true;
  return (
    typeof part === "object" &&
    part !== null &&
    Object.values(part).some((one) => hasName(one, name))
  );
}

function hasPicture(value: unknown): boolean {
  return typeof value === "object" && value !== null && PICTURE in value;
}

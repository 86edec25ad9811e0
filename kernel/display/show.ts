/** Exports the functions by which cells show values: `display`, `clear` and `page`. */
import { randomUUID } from "node:crypto";
import type { Bundle, CellOutput } from "../cell-output.ts";
import { currentHost } from "../host.ts";
import { PLAIN } from "./bundle.ts";
import { LiveValue } from "./live-value.ts";
import { progress } from "./progress.ts";
import { toShownBundle } from "./to-bundle.ts";

/** A displayed value, whose output can be replaced. */
export interface ShownDisplay {
  readonly id: string;
  update(value: unknown): Promise<void>;
}

/** Shows a value; `display.progress` is the bar of a loop. */
export const display = Object.assign(displayValue, { progress });

/**
 * The results of `display`; as the last value of a cell such a result is not shown, since its value
 * is shown already.
 */
const displayed = new WeakSet<object>();

export function isDisplayed(value: unknown): boolean {
  return typeof value === "object" && value !== null && displayed.has(value);
}

/** Shows a value below the cell, or in the place of what this run of the cell showed before with the same `id`. */
function displayValue(
  value: unknown,
  options: { readonly id?: string } = {},
): Promise<ShownDisplay> {
  const showing = showValue(value, options);
  displayed.add(showing);
  return showing;
}

async function showValue(value: unknown, { id }: { readonly id?: string }): Promise<ShownDisplay> {
  // The cell is asked for now: later, another one may be running.
  const host = currentHost();
  const show = host?.boundOutput() ?? showPlain;
  const places = placesOf(host?.cellRun());
  const displayId = id ?? randomUUID();
  const bundle = await toShownBundle(value);
  show({ kind: places.has(displayId) ? "update" : "display", bundle, displayId });
  places.add(displayId);
  if (value instanceof LiveValue)
    value.follow((next) => show({ kind: "update", bundle: next, displayId }));
  const shown: ShownDisplay = {
    id: displayId,
    update: async (next) => show({ kind: "update", displayId, bundle: await toShownBundle(next) }),
  };
  displayed.add(shown);
  return shown;
}

// An update reaches only what is still there, and a cell that runs again begins with nothing shown.
const placesByRun = new Map<string | undefined, Set<string>>();

function placesOf(cellRun: string | undefined): Set<string> {
  const places = placesByRun.get(cellRun) ?? new Set();
  placesByRun.set(cellRun, places);
  return places;
}

/** Shows a value in the front end's pager: something to read now, which is not kept with the notebook's outputs. */
export async function page(value: unknown): Promise<void> {
  const show = currentHost()?.boundOutput() ?? showPlain;
  show({ kind: "page", bundle: await toShownBundle(value) });
}

/** Clears what the cell shows; with `wait`, when the next thing is shown. */
export function clear({ wait = false }: { readonly wait?: boolean } = {}): void {
  const host = currentHost();
  host?.output({ kind: "clear", wait });
  placesOf(host?.cellRun()).clear();
}

/** Outside of a notebook. */
function showPlain(output: CellOutput): void {
  if (output.kind === "display" || output.kind === "update" || output.kind === "page") {
    process.stdout.write(`${plainOf(output.bundle)}\n`);
  }
}

/** The text of a bundle, which all of ours have. */
export function plainOf({ data }: Bundle): string {
  const text = data[PLAIN];
  return typeof text === "string" ? text : `(shown as ${Object.keys(data).join(", ")})`;
}

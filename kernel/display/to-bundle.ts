/** Turns any value into the bundle that a front end shows. */
import { types } from "node:util";
import { isRecord } from "../../dsl/index.ts";
import {
  AgentSession,
  Graph,
  GraphRun,
  RemoteAgents,
  RunDiff,
  RunError,
  RunStep,
  RunTree,
  Timeline,
} from "../../runtime/index.ts";
import type { Bundle } from "../cell-output.ts";
import { sessionBundle } from "./agent-sessions/session-bundle.ts";
import { bundleOf, PLAIN } from "./bundle.ts";
import { graphBundle } from "./graph/graph-bundle.ts";
import { errorText } from "./plain.ts";
import { remoteAgentsBundle } from "./remote-agents-bundle.ts";
import { diffBundle } from "./run/diff-bundle.ts";
import { isRunList, runListBundle, stepsBundle } from "./run/list-bundles.ts";
import { outputBundle, runOfOutput } from "./run/output-bundle.ts";
import { runBundle } from "./run/run-bundle.ts";
import { stepBundle } from "./run/step-bundle.ts";
import { timelineBundle } from "./run/timeline-bundle.ts";
import { treeBundle } from "./run/tree-bundle.ts";
import { isPlainData } from "./table/plain-rows.ts";
import { Rows, RowsPage } from "./table/rows.ts";
import { tableBundle, tableOfPage } from "./table/table.ts";
import { plainBundle, rowsBundle } from "./values/value-bundle.ts";

/** Rejects when the value's own way of showing itself fails. */
export async function toBundle(value: unknown): Promise<Bundle> {
  const own = await ownBundle(value);
  if (own !== undefined) return own;
  return (await knownBundle(value)) ?? plainBundle(value);
}

/** A value that `display` was given, which may be a bundle itself: forms by mime type, or those as `data` beside `metadata`. */
export async function toShownBundle(value: unknown): Promise<Bundle> {
  return isRawBundle(value) ? checkedBundle(value) : await toBundle(value);
}

/** Other keys with a slash, as paths of files, are no mime types. */
function isRawBundle(value: unknown): boolean {
  if (!isRecord(value) || !isPlainData(value)) return false;
  const data = isRecord(value.data) ? value.data : value;
  return isMimeData(data) && Object.keys(data).every((key) => MIME_KINDS.test(key));
}

const MIME_KINDS = /^(?:text|image|application|audio|video|font|model)\//;

const DISPLAY = Symbol.for("Jupyter.display");

/** Returns the bundle that the value makes of itself; undefined if it has no method for that. */
async function ownBundle(value: unknown): Promise<Bundle | undefined> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null)
    return undefined;
  const shown = memberOf(value, DISPLAY);
  if (shown !== undefined) {
    return checkedBundle(await (typeof shown === "function" ? shown.call(value) : shown));
  }
  const toMimeBundle = typeof value === "function" ? undefined : memberOf(value, "toMimeBundle");
  if (typeof toMimeBundle !== "function") return undefined;
  return checkedBundle(await toMimeBundle.call(value));
}

/** Returns a member of a value that may be a revoked proxy, or may throw; undefined then, and for one that a getter computes. */
function memberOf(value: object, key: string | symbol): unknown {
  try {
    for (let one: object | null = value; one !== null; one = Object.getPrototypeOf(one)) {
      // A table of another library is a proxy that shows itself.
      if (types.isProxy(one)) break;
      const member = Object.getOwnPropertyDescriptor(one, key);
      if (member?.get !== undefined) return undefined;
      if (member !== undefined) break;
    }
    return (value as Readonly<Record<string | symbol, unknown>>)[key];
  } catch {
    return undefined;
  }
}

/** Either texts by mime type, or those as `data` beside their `metadata`. */
function checkedBundle(given: unknown): Bundle {
  if (isRecord(given)) {
    const { data, metadata } = given;
    if (isMimeData(data)) return { data, metadata: isRecord(metadata) ? metadata : {} };
    if (isMimeData(given)) return bundleOf(given);
  }
  throw new RunError("M7605", "the value's display method returned no forms by mime type", {
    hint: 'return `{ "text/plain": "…" }`, with as many mime types as you like',
  });
}

function isMimeData(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every(isMimeType);
}

function isMimeType(key: string): boolean {
  return /^[\w.+-]+\/[\w.+-]+(?:;.*)?$/.test(key);
}

/** Our own values; nothing that goes wrong with them keeps a value from being shown as text. */
async function knownBundle(value: unknown): Promise<Bundle | undefined> {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    if (value instanceof Rows) return rowsBundle(value);
    if (value instanceof RowsPage) return tableBundle(tableOfPage(value));
    if (value instanceof Error) return bundleOf({ [PLAIN]: errorText(value) });
    const run = runOfOutput(value);
    if (run !== undefined) return await outputBundle(value, run);
    if (value instanceof RunStep) return stepBundle(value);
    if (isRunList(value)) return runListBundle(value);
    if (isSteps(value)) return stepsBundle(value);
    if (value instanceof AgentSession) return sessionBundle(value);
    if (value instanceof RemoteAgents) return remoteAgentsBundle(value);
    if (value instanceof RunTree) return treeBundle(value);
    if (value instanceof RunDiff) return diffBundle(value);
    if (value instanceof Timeline) return await timelineBundle(value);
    if (value instanceof GraphRun) return await runBundle(value);
    return value instanceof Graph ? await graphBundle(value.ir) : undefined;
  } catch {
    return undefined;
  }
}

function isSteps(value: object): value is readonly RunStep[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof RunStep);
}

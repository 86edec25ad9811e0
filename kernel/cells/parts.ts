/** Declares what the main thread needs of worker 1, worker 2, the engine of runs and the display. */
import type { DrivenRun, Session } from "../../runtime/index.ts";
import type { Bundle, CellOutput } from "../cell-output.ts";
import type { JupyterLink } from "../jupyter/main/start.ts";
import type { TypeClient } from "../types/client.ts";
import type { Settings } from "./settings.ts";

/** The main thread's side of worker 1, as cells need it. */
export type CellLink = Pick<
  JupyterLink,
  "output" | "ask" | "askLater" | "phase" | "takeInterrupt" | "cancelled"
>;

/** Values as front ends show them. */
export interface CellDisplay {
  toBundle(value: unknown): Promise<Bundle>;
  /** Returns whether a value is a result of `display`. */
  isDisplayed(value: unknown): boolean;
  /** Shows a run's drawing by `show`, and keeps it up to date. */
  followRun(run: DrivenRun, show: (output: CellOutput) => void): void;
  /** Resolves when every drawing is a picture. */
  drawingsReady(): Promise<void>;
}

export interface CellParts {
  readonly link: CellLink;
  /** Worker 2, started by the first call. */
  types(): Pick<
    TypeClient,
    | "convert"
    | "declare"
    | "declareGraphs"
    | "declareImported"
    | "recheck"
    | "signaturesOf"
    | "typesOf"
  >;
  /** Returns the session of the process, which a cell may close and open again. */
  session(): Session;
  readonly display: CellDisplay;
  readonly settings: Settings;
}

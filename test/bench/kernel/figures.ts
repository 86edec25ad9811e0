/** What is measured of each kernel: figures by their names, and why some are missing. */
import { KernelLost } from "./bench-client.ts";

export const figureNames = [
  "start to kernel_info",
  "first cell",
  "start to first cell",
  "distinct cells",
  "1+1 again and again",
  "complete",
  "10,000 lines",
  "memory after 200 cells",
  "control while a cell blocks",
  "heartbeat while a cell blocks",
  "interrupt of a sync loop",
  "interrupt of a loop after await",
  "interrupt of awaiting",
  "interrupt of other blocks",
] as const;

export type FigureName = (typeof figureNames)[number];

/** Of one kernel. A figure that is `left` in one round is in none of its rows. */
export class Figures {
  readonly #values = new Map<FigureName, number[]>();
  readonly #left = new Map<FigureName, string>();

  add(name: FigureName, values: readonly number[]): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), ...values]);
  }

  leave(name: FigureName, thrown: unknown): void {
    if (this.#left.has(name)) return;
    this.#left.set(name, thrown instanceof Error ? thrown.message : String(thrown));
  }

  values(name: FigureName): readonly number[] | undefined {
    return this.#left.has(name) ? undefined : this.#values.get(name);
  }

  /** Why there are no values. */
  reason(name: FigureName): string | undefined {
    return this.#left.get(name);
  }
}

export interface MeasuredStep {
  readonly name: FigureName;
  readonly measure: () => Promise<readonly number[]>;
}

/** Takes the steps one after the other; what goes wrong leaves its figure out, and once the kernel is lost, those behind it. */
export async function takeSteps(steps: readonly MeasuredStep[], figures: Figures): Promise<void> {
  let lost: KernelLost | undefined;
  for (const { name, measure } of steps) {
    if (lost !== undefined) {
      figures.leave(name, lost);
      continue;
    }
    try {
      figures.add(name, await measure());
    } catch (thrown) {
      figures.leave(name, thrown);
      if (thrown instanceof KernelLost) lost = thrown;
    }
  }
}

/** Closes the performers of a run when it stands still, and reports what refused to close. */
import { messageOf, RunError } from "../failure.ts";

type Dispose = (() => Promise<readonly unknown[]>) | undefined;

/** Lets go of what a run has open when it is over; what that failed with waits until somebody asks. */
export class Closing {
  #errors: Promise<readonly unknown[]> = Promise.resolve([]);

  begin(dispose: Dispose): void {
    if (dispose === undefined) return;
    const before = this.#errors;
    this.#errors = dispose().then(async (errors) => [...(await before), ...errors]);
    this.#errors.catch(() => {});
  }

  /** Throws M8510 with everything that could not be closed, once. */
  async end({ id: runId }: { readonly id: string }, dispose: Dispose): Promise<void> {
    this.begin(dispose);
    const errors = await this.#errors;
    this.#errors = Promise.resolve([]);
    if (errors.length === 0) return;
    const said = errors.map(messageOf).join("; ");
    throw new RunError("M8510", `${errors.length} sessions could not be closed: ${said}`, {
      hint: "their processes may still run; end them by hand",
      runId,
      cause: new AggregateError(errors),
    });
  }
}

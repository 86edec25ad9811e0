/** Waits for the workspace folder, which the main thread names once it has loaded. */
import { join } from "node:path";
import type { JupyterWorkerData } from "./link.ts";

export class Folder {
  readonly #known = Promise.withResolvers<void>();
  #path: string | undefined;

  constructor({ hasFolder }: Pick<JupyterWorkerData, "hasFolder">) {
    if (!hasFolder) this.#known.resolve();
  }

  /** Resolves when `within` answers for good. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  tell(path: string | undefined): void {
    this.#path = path;
    this.#known.resolve();
  }

  /** A folder in it; undefined while it is not known, and where there is none. */
  within(...names: readonly string[]): string | undefined {
    return this.#path === undefined ? undefined : join(this.#path, ...names);
  }
}

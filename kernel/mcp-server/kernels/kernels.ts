/** Keeps the lines to the kernels of this machine. */
import { CommandError } from "../../command-error.ts";
import { findKernels, runtimeFolder } from "./find-kernels.ts";
import { KernelLine } from "./kernel-line.ts";

/** A kernel as it is listed. */
export interface ListedKernel {
  readonly kernel: string;
  readonly [fact: string]: unknown;
}

/** A kernel that computes without a pause is listed without its facts. */
const ABOUT_MS = 2_000;

export class Kernels {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #lines = new Map<string, { readonly key: string; readonly line: KernelLine }>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** The kernels that answer, the newest first, and the files that are left alone. */
  async list(): Promise<{
    readonly kernels: readonly ListedKernel[];
    readonly refused: readonly { readonly file: string; readonly why: string }[];
  }> {
    const { kernels, refused } = findKernels(this.#env);
    const listed = await Promise.all(
      kernels.map(async ({ id }): Promise<ListedKernel[]> => {
        const line = await this.#lineTo(id);
        if (line === undefined) return [];
        const about = await line.ask({ ask: "about" }, ABOUT_MS).catch(() => ({ status: "busy" }));
        return [{ kernel: id, ...(about as object) }];
      }),
    );
    return { kernels: listed.flat(), refused };
  }

  /** The kernel of an id or of its beginning; without one the only kernel that there is. Throws M7800 where there is none. */
  async choose(
    word: string | undefined,
  ): Promise<{ readonly id: string; readonly line: KernelLine }> {
    const ids = findKernels(this.#env).kernels.map(({ id }) => id);
    const meant = word === undefined ? ids : ids.filter((id) => id.startsWith(word));
    const alive = await Promise.all(
      meant.map(async (id) => {
        const line = await this.#lineTo(id);
        return line === undefined ? [] : [{ id, line }];
      }),
    );
    const [only, ...more] = alive.flat();
    if (only !== undefined && more.length === 0) return only;
    throw noKernel(
      word,
      only === undefined ? [] : [only, ...more].map(({ id }) => id),
      runtimeFolder(this.#env),
    );
  }

  close(): void {
    for (const { line } of this.#lines.values()) line.close();
    this.#lines.clear();
  }

  /** One line for each kernel; a file that was written anew is another kernel. */
  async #lineTo(id: string): Promise<KernelLine | undefined> {
    const found = findKernels(this.#env).kernels.find((one) => one.id === id);
    const known = this.#lines.get(id);
    if (known !== undefined && known.key === found?.connection.key) return known.line;
    known?.line.close();
    this.#lines.delete(id);
    const line = found === undefined ? undefined : await KernelLine.open(found.connection);
    if (found === undefined || line === undefined) return undefined;
    this.#lines.set(id, { key: found.connection.key, line });
    return line;
  }
}

function noKernel(word: string | undefined, ids: readonly string[], folder: string): CommandError {
  const which = word === undefined ? "" : ` \`${word}\``;
  if (ids.length > 0)
    return new CommandError(
      "M7800",
      `several kernels${which === "" ? " run here" : ` begin with${which}`}`,
      {
        hint: `name one of ${ids.join(", ")}`,
      },
    );
  return new CommandError("M7800", `no kernel${which} of Madrigal runs here`, {
    hint: `looked for by the files kernel-*.json in ${folder}; \`list_kernels\` tells which are left alone`,
  });
}

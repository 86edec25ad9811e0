/** Keeps the lines to the kernels of this machine. */
import { CommandError } from "../../command-error.ts";
import { type FoundKernel, findKernels, runtimeFolder } from "./find-kernels.ts";
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
  readonly #lines = new Map<string, KeptLine>();

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
      kernels.map(async (found): Promise<ListedKernel[]> => {
        const { id } = found;
        const line = await this.#lineTo(found);
        if (line === undefined) return [];
        const about = await line.ask({ ask: "about" }, ABOUT_MS).catch(() => {
          this.#drop(id); // It may be gone: the next call looks.
          return { status: "busy" };
        });
        return [{ kernel: id, ...(about as object) }];
      }),
    );
    return { kernels: listed.flat(), refused };
  }

  /** The kernel of an id or of its beginning; without one the only kernel that there is. Throws M7800 where there is none. */
  async choose(
    word: string | undefined,
  ): Promise<{ readonly id: string; readonly key: string; readonly line: KernelLine }> {
    const { kernels } = findKernels(this.#env);
    const begun = kernels.filter(({ id }) => word === undefined || id.startsWith(word));
    // `jupyter console` numbers kernels by their processes: 12 begins with 1.
    const exact = begun.filter(({ id }) => id === word);
    const meant = exact.length > 0 ? exact : begun;
    const alive = await Promise.all(
      meant.map(async (found) => {
        const line = await this.#lineTo(found);
        return line === undefined ? [] : [{ id: found.id, key: found.connection.key, line }];
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
    for (const id of [...this.#lines.keys()]) this.#drop(id);
  }

  /** One line for each kernel, also for calls at once; a file that was written anew is another kernel. */
  async #lineTo({ id, connection }: FoundKernel): Promise<KernelLine | undefined> {
    const known = this.#lines.get(id);
    if (known?.key === connection.key) return await known.line;
    this.#drop(id);
    const kept = { key: connection.key, line: KernelLine.open(connection) };
    this.#lines.set(id, kept);
    const line = await kept.line;
    // A kernel that does not answer now may do so later.
    if (line === undefined && this.#lines.get(id) === kept) this.#lines.delete(id);
    return line;
  }

  #drop(id: string): void {
    void this.#lines.get(id)?.line.then((line) => line?.close());
    this.#lines.delete(id);
  }
}

interface KeptLine {
  readonly key: string;
  /** Undefined where no kernel of ours answers. */
  readonly line: Promise<KernelLine | undefined>;
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

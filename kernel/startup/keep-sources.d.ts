/** Declares keep-sources.js, which keeps our files without their types. */

export interface KeptSources {
  /** The file that holds them; processes and threads may share it. */
  readonly file: string;
  /** URLs of the folders whose files are kept, each with a slash at its end. */
  readonly folders: readonly string[];
}

/** Keeps TypeScript files that import each other by relative names, stripped of their types, together in one file. */
export declare function keepSources(kept: KeptSources): void;

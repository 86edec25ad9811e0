/** Names the file that the TypeScript made of a program of graphs stands for. */
import { basename, dirname, join } from "node:path";

/** A text in the place of a program of graphs. */
export interface TextBeside {
  /** The program's absolute path: imports are looked for from there. */
  readonly path: string;
  readonly text: string;
  /**
   * True if modules of TypeScript are imported, which may use Node's declarations: reading those
   * takes half a second the first time.
   */
  readonly withNode: boolean;
}

export const VIRTUAL = ".check.ts";

/** No file of this name is read: whatever stands there, our text is meant. */
export function virtualName(path: string): string {
  return join(dirname(path), `${basename(path)}${VIRTUAL}`);
}

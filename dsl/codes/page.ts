/** The form of a code's page. */
import type { Surroundings } from "../check/surroundings.ts";

/** The page of a code, as `madrigal explain CODE` prints it. */
export interface CodePage {
  readonly title: string;
  /** The reason for the rule, and the remedy. */
  readonly why: string;
  /**
   * A program whose first diagnostic has this code, and whose only one it is where a check finds it; only for what is wrong
   * in a text of the language.
   */
  readonly bad?: string;
  /** The same program put right. */
  readonly good?: string;
  /**
   * A program without an error that is one token away from the bad one, to show where the border runs; or why there
   * is none. Absent where the good program is that already.
   */
  readonly near?: string | { readonly none: string };
  /** The surroundings of the bad program, where the text alone can't be wrong. */
  readonly given?: Surroundings & { readonly scope?: readonly string[] };
}

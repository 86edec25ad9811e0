/** What `madrigal explain CODE` prints. */
export interface CodePage {
  readonly title: string;
  /** Why it is so, and what to do. */
  readonly why: string;
  /** A program whose first diagnostic has this code; only for what is wrong in a text of the language. */
  readonly bad?: string;
  /** The same program put right. */
  readonly good?: string;
}

/** Defines the sight of an agent's browser for people who watch its run; nothing of it is in the log. */

/** The page that an agent's browser shows after an action, and once more before the browser ends. */
export interface LivePage {
  /** True if the browser ends as soon as the pictures are taken that were asked for until then. */
  readonly isEnding: boolean;
  /** Takes a picture in JPEG, of at most 100 kB; undefined where none can be taken. */
  picture(): Promise<Uint8Array | undefined>;
}

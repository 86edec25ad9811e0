/** Defines the sight of an agent's browser for people who watch its run, and its use by a person; nothing of it is in the log. */

/** A person who forgets to hand a browser back keeps its agent so long. */
export const PERSON_MS = 30 * 60_000;

/** The page that an agent's browser shows after an action, and once more before the browser ends. */
export interface LivePage {
  /** True if the browser ends as soon as the pictures are taken that were asked for until then. */
  readonly isEnding: boolean;
  /** Takes a picture in JPEG, of at most 100 kB; undefined where none can be taken. */
  picture(): Promise<Uint8Array | undefined>;
  /**
   * Gives the browser to a person as soon as the action of the agent that is under way has ended. The agent's next action
   * waits until the browser is handed back, or its half hour is over. Throws M8631 if another person has it.
   */
  takeOver(): Promise<TakenPage>;
}

/** A browser in the hands of a person. */
export interface TakenPage {
  /** Aborted when the browser is handed back, its half hour is over, or it has ended. */
  readonly over: AbortSignal;
  /** The address of the page that is shown. */
  readonly url: string;
  /** Does one thing after the other; rejects with M8631 when it is over, and with the error of what was done. */
  act(act: PersonAct): Promise<void>;
  picture(): Promise<Uint8Array | undefined>;
  /** Lets the agent go on, who is told that a person used the browser. */
  handBack(): void;
}

/** Something that a person does to a page; places are pixels of its picture. */
export type PersonAct =
  | { readonly kind: "click"; readonly x: number; readonly y: number; readonly count?: number }
  | {
      readonly kind: "scroll";
      readonly x: number;
      readonly y: number;
      readonly right: number;
      readonly down: number;
    }
  /** A key as browsers name it, with what is held: `Control+a`. */
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "visit"; readonly url: string }
  | { readonly kind: "back" };

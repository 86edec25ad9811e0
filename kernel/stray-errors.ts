/** Catches errors that nobody awaits: thrown in a timer or an event, or of a dropped promise. */

export type StrayKind = "uncaughtException" | "unhandledRejection";
export type TakeStray = (thrown: unknown, kind: StrayKind) => void;

let taker: TakeStray | undefined;

/** Listens for them from now on; `otherwise` is told while nobody has taken them over. */
export function listenForStrays(otherwise: TakeStray): void {
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(kind, (thrown: unknown) => (taker ?? otherwise)(thrown, kind));
  }
}

/** Takes them over, until the returned function is called. */
export function takeStrays(take: TakeStray): () => void {
  taker = take;
  return () => {
    taker = undefined;
  };
}

/** What the second parser throws for a text that is not of the language; it says little and mends nothing. */
export class Rejection extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} at ${offset}`);
    this.name = "Rejection";
    this.offset = offset;
  }
}

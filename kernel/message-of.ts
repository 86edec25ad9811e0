/** Writes a thrown value as one line. The engine has the same, which takes long to load for one line. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

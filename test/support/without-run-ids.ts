/** A text with its run ids, whole or short, replaced by `RUN`: they differ from run to run. */
export function withoutRunIds(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "RUN")
      // Hashes of two graphs are no ids: `graph 2999c629 → 5e73767b`.
      .replaceAll(/(?<!→ )\b[0-9a-f]{8}\b(?! →)/g, "RUN")
  );
}

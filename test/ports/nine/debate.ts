/** Counts votes. */
export function tally(votes: { choice: string }[]): { winner: string; tied: boolean } {
  const counts = new Map<string, number>();
  for (const { choice } of votes) counts.set(choice, (counts.get(choice) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, one], [, other]) => other - one);
  return { winner: first?.[0] ?? "", tied: first?.[1] === second?.[1] };
}

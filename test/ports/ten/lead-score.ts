/** The leads, the best of them, and where mails go. */
export const loadLeads = () =>
  ["Ann", "Bob", "Cem", "Dia"].map((name, index) => ({
    id: `${index + 1}`,
    name,
    bio: `${name} builds things`,
  }));

export const best = (scores: readonly { id: string; score: number }[], count: number) =>
  scores
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ id }) => id);

export const save = (name: string, text: string) => `${name}.txt: ${text}`;

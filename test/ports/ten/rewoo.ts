/** A search, and inputs that name evidence of before. */
export const searchWeb = (query: string) => `found: ${query}`;

export const filledIn = (input: string, evidence: readonly { name: string; text: string }[]) =>
  evidence.reduce((text, { name, text: by }) => text.replaceAll(name, by), input);

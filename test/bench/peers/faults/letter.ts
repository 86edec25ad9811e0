/** The functions behind the letter, which both sides call. */
export const compose = (name: string) => ({ draft: `Dear ${name}`, kind: "short" as const });
export const shorten = (draft: string): string => draft.slice(0, 20);
export const findSlips = (draft: string): string[] => (draft.includes("  ") ? ["a gap"] : []);
export const priceOf = (draft: string): number => draft.length;
export const post = (draft: string, price: number): string => `${draft} for ${price}`;

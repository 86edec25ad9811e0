/** What both sides step through: a megabyte of state, and how often. */
export const BIG = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(1000, "-"));

export const STEPS = 100;

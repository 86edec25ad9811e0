/** The line of the log of a moderation. */
export const logOf = (content: string, decision: string, score: number) =>
  `${content}: ${decision} at ${score}`;

/** What each side of the comparison does: ask a model with ten tools, which looks at a place turn by turn, and answer. */

export const TOOLS = 10;

/** Answers of one conversation: its prompts have 20 messages in the mean. */
export const TURNS = 19;

export const QUESTION = "Look at every place, then say when it was.";
export const SYSTEM = "You look at places with your tools, one after the other.";

export const toolNames: readonly string[] = Array.from({ length: TOOLS }, (_, at) => `look_${at}`);

export const toolDescription = "Looks at a place and says what is there.";

export const toolSchema = {
  type: "object",
  properties: { at: { type: "string", description: "the place" } },
  required: ["at"],
  additionalProperties: false,
} as const;

export function look({ at }: { readonly at: string }): string {
  return `There is nothing at ${at}.`;
}

/** Processor time of this process in milliseconds, user and system. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The address of the server, as a side's process is told it. */
export function serverUrl(): string {
  return process.argv[2] ?? "";
}

/** An answer without its time. */
export function answerOf(text: string): string {
  return text.replace(/^\d+ /, "");
}

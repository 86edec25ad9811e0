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

/** A round is long enough that its share of collections and compilations is that of every other. */
const ROUND_MS = 500;

/** The optimizing compiler is at work on the larger libraries for this long. */
const WARM_MS = 5_000;

/** Measures a side in processor time. */
export const inProcessorTime = { now: processorMs, roundMs: ROUND_MS, warmMs: WARM_MS };

/** Processor time of this process in milliseconds, user and system. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** What a side's process is told: the address of the server, and in which of its ways it asks. */
export function sideTask(): { readonly url: string; readonly way: string } {
  const [url = "", way = ""] = (process.argv[2] ?? "").split(" ");
  return { url, way };
}

/** An answer without its time. */
export function answerOf(text: string): string {
  return text.replace(/^\d+ /, "");
}

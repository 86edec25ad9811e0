/** A shelf outside of the run: a file, to which each call adds a line, unless its key is there already. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type ToolContext, tool } from "madrigal";

/** Returns the lines of the shelf, each a key and a book. */
export function shelf(): readonly string[] {
  const file = process.env.SHELF ?? "shelf.txt";
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}

async function place(
  { book }: { book: string },
  { idempotencyKey: key }: ToolContext,
): Promise<string> {
  // Slow, as the outside is: a worker can be killed meanwhile.
  await sleep(150);
  if (!shelf().some((line) => line.startsWith(`${key} `)))
    appendFileSync(process.env.SHELF ?? "shelf.txt", `${key} ${book}\n`);
  return book;
}

export const put = tool(place, {
  description: "Puts a book on the shelf.",
  effect: "external",
  keyed: true,
});

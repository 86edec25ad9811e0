/** What the programs of these tests import. */

/** One thing to look for. */
export interface Task {
  /** What to type into the search box. */
  query: string;
  /** Why it matters. */
  why?: string;
  priority: "low" | "high";
  tags: readonly string[];
  scores: Record<string, number>;
}

export type Tree = { name: string; children: Tree[] };
export type Status = "in progress" | "completed" | "failed";
export type Timed = { what: string; at: Date };
export type Odd = { run: () => void };

export interface Page {
  status: Status;
  next: Page | null;
  trees: Tree[];
  pair: [string, number];
  isLast: boolean;
}

export function runTests(patch: string): boolean {
  return patch !== "";
}

export async function findTasks(question: string): Promise<Task[]> {
  return [{ query: question, priority: "low", tags: [], scores: {} }];
}

export const pick = (status: Status): "write" | "check" =>
  status === "failed" ? "write" : "check";
export const pickAny = (status: Status): string => status;
export const pickEnd = (status: Status): "write" | "end" => (status === "failed" ? "write" : "end");

/** A command as `command()` makes it. */
export function decide(patch: string) {
  return { kind: "command", update: { report: patch }, goto: "check" } as const;
}
export function decideWrong(patch: string) {
  return { kind: "command", update: { report: patch }, goto: "chekc" } as const;
}
export function decideNumber() {
  return { kind: "command", update: { report: 1 }, goto: "check" } as const;
}

export const newest = (before: string, written: string): string => written || before;
export const count = (before: number, written: number): number => before + written;

export function robot(options: { name: string }): { start(): void } {
  return { start: () => void options };
}
export const notAController = 3;

export const web = { search: (query: string) => [query] };

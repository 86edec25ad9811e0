/** What a bisect found, in words. */
import type { BisectChange, Bisected, BisectedRun } from "./bisect.ts";

export function bisectText(of: Bisected): string {
  const { asked, bad, firstBad, lastGood, goodAfter, changes, diff, verdict } = of;
  const runs = asked === 1 ? "1 run" : `${asked} runs`;
  if (verdict === "no runs") return "no run that has ended was asked";
  if (verdict === "all good") return `it holds for none of ${runs}`;
  if (verdict === "all bad") return `it holds for all of ${runs}: nothing older was asked`;
  return [
    `asked ${runs}: it holds for ${bad}`,
    `first bad: ${firstBad === undefined ? "none" : runText(firstBad)}`,
    `last good: ${lastGood === undefined ? "none before it" : runText(lastGood)}`,
    ...changes.map(changeText),
    ...(firstBad !== undefined && lastGood !== undefined && changes.length === 0
      ? ["nothing that a run is made with changed between them"]
      : []),
    ...diff.map((line) => `  ${line}`),
    ...(goodAfter === 0
      ? []
      : [`not clean: ${goodAfter} of the runs behind it are good, so it is not this change alone`]),
  ].join("\n");
}

function runText({ runId, graph, status, ts }: BisectedRun): string {
  return `${runId} of ${graph}, ${status}${ts === null ? "" : `, ${ts}`}`;
}

function changeText({ what, before, after }: BisectChange): string {
  if (what.startsWith("function ")) return `changed: ${what}: its code`;
  return `changed: ${what}: ${shortText(before)} → ${shortText(after)}`;
}

const LENGTH_MAX = 60;

function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text;
}

/** A plan of a re-run for people. */
import type { Performs, Rerun, Savings } from "./rerun.ts";

type Planned = Pick<Rerun, "of" | "graph" | "saves" | "performs" | "notes">;

export function planText({ of, graph, saves, performs, notes }: Planned): string {
  const width = Math.max(0, ...performs.map(({ label }) => label.length));
  const lines = performs.map(({ label, why }) => `  ${label.padEnd(width)}  ${why.join(", ")}`);
  return [
    `${graph} again, from run ${of}`,
    performs.length === 0 ? "performed: nothing" : `performed: ${counted(performs)}`,
    ...lines,
    `served: ${savingsText(saves.sure)}`,
    ...(saves.maybe.nodeRuns === 0
      ? []
      : [`served if these come to the same: ${savingsText(saves.maybe)}`]),
    ...notes.map((note) => `note: ${note}`),
  ].join("\n");
}

export function planHtml({ of, graph, saves, performs, notes }: Planned): string {
  const rows = performs.map(
    ({ label, why }) => `<tr><td>${escaped(label)}</td><td>${escaped(why.join(", "))}</td></tr>`,
  );
  const table = `<table><tr><th>performed</th><th>why</th></tr>${rows.join("")}</table>`;
  return [
    `<div><b>${escaped(graph)}</b> again, from run <code>${escaped(of)}</code>`,
    performs.length === 0 ? "<p>performed: nothing</p>" : table,
    "<table><tr><th></th><th>node runs</th><th>calls</th><th>tokens</th><th>USD</th><th>time</th></tr>",
    `<tr><td>served</td>${cells(saves.sure)}</tr>`,
    `<tr><td>served if these come to the same</td>${cells(saves.maybe)}</tr></table>`,
    ...notes.map((note) => `<p>${escaped(note)}</p>`),
    "</div>",
  ].join("");
}

function counted({ length }: readonly Performs[]): string {
  return `${length} node run${length === 1 ? "" : "s"}`;
}

function savingsText({ nodeRuns, calls, tokens, usd, ms }: Savings): string {
  const parts = [
    `${nodeRuns} node run${nodeRuns === 1 ? "" : "s"}`,
    `${calls} call${calls === 1 ? "" : "s"}`,
    `${tokens.toLocaleString("en-US")} tokens`,
    usdText(usd),
    timeText(ms),
  ];
  return parts.join(", ");
}

function cells({ nodeRuns, calls, tokens, usd, ms }: Savings): string {
  const texts = [nodeRuns, calls, tokens.toLocaleString("en-US"), usdText(usd), timeText(ms)];
  return texts.map((text) => `<td>${escaped(String(text))}</td>`).join("");
}

function usdText(usd: number | null): string {
  return usd === null ? "an unknown price" : `$${usd.toFixed(4)}`;
}

function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
}

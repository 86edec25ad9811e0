/** Shows a plan: its steps as boxes, each below those that it waits for, and as a table. */
import { isPlan, type Plan, type PlanStep, planLevels, readPlan } from "../../../dsl/index.ts";
import { escapeMarkdown, escapeMarkup } from "../escape.ts";
import { counted, cut, visibleLine } from "../visible.ts";

/** The plan that a value is, if it can run and has a step. */
export function planIn(value: unknown): Plan | undefined {
  const read = readPlan(value);
  return isPlan(read) && read.steps.length > 0 ? read : undefined;
}

/** For a terminal: a line a step, with its details below. */
export function planText(plan: Plan): string {
  const lines = plan.steps.flatMap((step) => {
    const { title, details } = step;
    const clauses = clausesOf(step).map((one) => visibleLine(one));
    const head = `  ${visibleLine(step.id)}  ${visibleLine(title)}${clauses.map((one) => ` · ${one}`).join("")}`;
    const below = details.trim() === title.trim() ? [] : details.split("\n");
    return [
      head,
      ...below.filter((line) => line.trim() !== "").map((line) => `     ${visibleLine(line)}`),
    ];
  });
  return [...headOf(plan).map((line) => visibleLine(line)), ...lines].join("\n");
}

export function planMarkdown(plan: Plan): string {
  const steps = plan.steps.map((step) => {
    const clauses = clausesOf(step).map((one) => ` · ${escapeMarkdown(one)}`);
    return `- **${escapeMarkdown(step.id)}** ${escapeMarkdown(step.title)}${clauses.join("")}`;
  });
  return [...headOf(plan).map(escapeMarkdown), steps.join("\n")].join("\n\n");
}

export function planHtml(plan: Plan): string {
  const head = headOf(plan).map((line) => `<div>${escapeMarkup(line)}</div>`);
  const rows = plan.steps.map((step) => {
    const cells = [step.id, step.title, clausesOf(step).join(" · "), step.details];
    return `<tr>${cells.map((text) => `<td style="text-align:left;vertical-align:top;white-space:pre-wrap">${escapeMarkup(text)}</td>`).join("")}</tr>`;
  });
  const table = `<table><thead><tr><th>id</th><th>step</th><th>who and when</th><th>details</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  return `<div class="madrigal-plan mathjax_ignore">${head.join("")}${planSvg(plan)}${table}</div>`;
}

function headOf({ name, summary, task, version }: Plan): readonly string[] {
  const title = name ?? summary ?? task;
  if (title === undefined) return [];
  return [version === undefined ? title : `${title} (version ${version})`];
}

function clausesOf({ agent, tool, depends, when, repeat }: PlanStep): readonly string[] {
  const who = agent ?? tool;
  return [
    ...(who == null ? [] : [who]),
    ...(depends == null || depends.length === 0 ? [] : [`after ${depends.join(", ")}`]),
    ...(when == null ? [] : [`when ${when}`]),
    ...(repeat == null ? [] : [repeat]),
  ];
}

const BOX = { width: 180, height: 40, gapX: 20, gapY: 36 } as const;
/** A drawing of more steps is nothing that anybody reads. */
export const DRAWN_MAX = 200;

/** Returns the drawing of a plan, a row a level: steps of one row may work at the same time. Empty for too many steps. */
export function planSvg(plan: Plan): string {
  if (plan.steps.length > DRAWN_MAX) return "";
  const levels = planLevels(plan);
  const widest = Math.max(...levels.map(({ length }) => length));
  const places = new Map(
    levels.flatMap((ids, row) =>
      ids.map((id, column) => {
        const x = (column + (widest - ids.length) / 2) * (BOX.width + BOX.gapX) + 1;
        return [id, { x, y: row * (BOX.height + BOX.gapY) + 1 }] as const;
      }),
    ),
  );
  const width = widest * (BOX.width + BOX.gapX);
  const height = levels.length * (BOX.height + BOX.gapY);
  const parts = plan.steps.flatMap((step) => {
    const at = places.get(step.id);
    if (at === undefined) return [];
    const above = (step.depends ?? []).flatMap((id) => places.get(id) ?? []);
    const lines = above.map(
      (from) =>
        `<path d="M${from.x + BOX.width / 2},${from.y + BOX.height}L${at.x + BOX.width / 2},${at.y}"/>`,
    );
    const texts = [step.title, clausesOf({ ...step, depends: [] })[0] ?? ""].map(
      (text, row) =>
        `<text x="${at.x + 8}" y="${at.y + 17 + row * 15}" fill="currentColor" stroke="none" font-size="${row === 0 ? 12 : 10}">${escapeMarkup(cut(visibleLine(text), 28))}</text>`,
    );
    return [
      ...lines,
      `<rect x="${at.x}" y="${at.y}" width="${BOX.width}" height="${BOX.height}" rx="5"><title>${escapeMarkup(step.details)}</title></rect>`,
      ...texts,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" style="max-width:100%;height:auto" fill="none" stroke="currentColor" font-family="sans-serif" role="img"><title>Plan of ${counted(plan.steps.length, "step")}</title>${parts.join("")}</svg>`;
}

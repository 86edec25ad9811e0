/** `madrigal runs`: lists the runs of the workspace, newest first; `delete` and `prune` remove some. */
import { existsSync } from "node:fs";
import { nearest } from "../../../../dsl/index.ts";
import {
  type DrivenRun,
  debugging,
  RunError,
  type RunFilter,
  type RunSummary,
  type Session,
  shortRunIds,
  type storedRuns,
} from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { expiryText } from "../../../display/expiry-text.ts";
import { type TextColumn, textTable } from "../../../display/text-table.ts";
import { visible } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import { RUN_STATUSES } from "../../../run-statuses.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { costText, timeText } from "../../numbers.ts";
import { print, printJson } from "../../output.ts";
import { isLost } from "../../run/run-facts.ts";
import { summaryJson } from "../../run/summary-json.ts";
import { openRunsToRead, openStoredRuns } from "../../stored-runs.ts";
import { deleteRuns, pruneRuns } from "../../tidy-runs.ts";
import { importedCells, importedJson } from "./imported-run.ts";
import { forkJson, forkText } from "./show.ts";

const LIMIT = 20;

export const command: CliCommand = {
  options: {
    ...{ graph: "text", status: "text", limit: "text", thread: "text", json: "flag" },
    ...{ "older-than": "text", keep: "text", "dry-run": "flag" },
  },
  arguments: ["[delete|prune|tree]", "[RUN…]"],
  async run(call) {
    const tidy = readTidy(call);
    const filter = readFilter(call);
    const session = tidy === undefined ? openRunsToRead() : openStoredRuns();
    if (call.arguments[0] === "tree") {
      showTree(session, call);
      await session.close();
      return EXIT.done;
    }
    if (tidy !== undefined) {
      await tidy(session, call);
      await untrace(session);
      await session.close();
      return EXIT.done;
    }
    const imported = await session.spans.list(filter);
    const own = session.list(filter).map((run) => ({ ...run, ...expiryOf(run, session) }));
    const runs = listed(own, imported).slice(0, filter.limit);
    if (runs.length === 0 && filter.graph !== undefined) await assertGraph(filter.graph, session);
    if (call.flag("json")) printJson({ runs: runs.map(({ json }) => json) });
    else print(runs.length === 0 ? "no runs" : textTable(columns, runs));
    await session.close();
    return EXIT.done;
  },
};

/** A run that waits, with the first of its questions that time closes. */
interface ListedRun extends RunSummary {
  readonly expiresAt?: number;
  readonly expiry?: string | undefined;
}

function expiryOf(
  { runId, status }: RunSummary,
  session: Session,
): Pick<ListedRun, "expiresAt" | "expiry"> {
  if (status !== "waiting") return {};
  const run = openToTell(runId, session);
  if (run === undefined) return {};
  const [first] = run.interrupts
    .flatMap((interrupt) =>
      interrupt.expiresAt === undefined ? [] : [{ interrupt, expiresAt: interrupt.expiresAt }],
    )
    .sort((a, b) => a.expiresAt - b.expiresAt);
  if (first === undefined) return {};
  return { expiresAt: first.expiresAt, expiry: expiryText(first.interrupt, run) };
}

/** One whose log can't be read is listed all the same; `show` says what is wrong with it. */
function openToTell(runId: string, session: Session): DrivenRun | undefined {
  try {
    return session.open(runId);
  } catch (thrown) {
    if (thrown instanceof RunError) return undefined;
    throw thrown;
  }
}

/** A misspelt name would be told as "no runs" else. */
async function assertGraph(graph: string, session: Session): Promise<void> {
  const all = [...session.list(), ...(await session.spans.list())];
  debugging.assertGraphOfRuns(graph, [...new Set(all.map((run) => run.graph))]);
}

/** Deletes the traces of deleted runs. */
async function untrace(session: Session): Promise<void> {
  if (existsSync(session.workspace.tracesDir)) await (await session.traces()).share();
}

/** The branch tree of a thread, or of the thread of a run. */
function showTree(session: Session, call: CommandCall): void {
  const [, id, extra] = call.arguments;
  if (id === undefined || extra !== undefined) {
    throw new CommandError("M7103", "`madrigal runs tree` takes one run or thread", {
      hint: "madrigal runs tree RUN; `last` is the newest run",
    });
  }
  const tree = session.tree(id);
  if (call.flag("json")) printJson(tree.toJSON());
  else print(visible(String(tree)));
}

const TIDY = { delete: deleteRuns, prune: pruneRuns } as const;

function readTidy(
  call: CommandCall,
): ((session: Session, call: CommandCall) => Promise<void>) | undefined {
  const [verb] = call.arguments;
  if (verb === "tree") return undefined;
  if (verb === "delete" || verb === "prune") return TIDY[verb];
  const only = ["older-than", "keep", "dry-run"].find(
    (name) => call.flag(name) || call.text(name) !== undefined,
  );
  if (verb === undefined && only === undefined) return undefined;
  const message =
    verb === undefined
      ? `\`--${only}\` is for \`madrigal runs prune\``
      : `there is no command \`madrigal runs ${verb}\``;
  throw new CommandError("M7103", message, {
    hint: "`madrigal runs` lists runs, `madrigal runs delete RUN…` and `madrigal runs prune` delete some",
  });
}

function readFilter(call: CommandCall): RunFilter {
  const graph = call.text("graph");
  const thread = call.text("thread");
  const word = call.text("status");
  const status = RUN_STATUSES.find((one) => one === word);
  if (word !== undefined && status === undefined) {
    const meant = nearest(word, RUN_STATUSES);
    throw new CommandError("M7104", `no status of runs is called \`${word}\``, {
      hint:
        meant === undefined
          ? `it is one of ${RUN_STATUSES.join(", ")}`
          : `did you mean \`${meant}\`?`,
    });
  }
  return {
    limit: readLimit(call.text("limit")),
    ...(graph === undefined ? {} : { graph }),
    ...(thread === undefined ? {} : { thread }),
    ...(status === undefined ? {} : { status }),
  };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return LIMIT;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CommandError("M7104", `\`--limit ${text}\` is no number of runs`, {
    hint: "a whole number from 1",
  });
}

/** A line of the list. */
interface Listed {
  readonly cells: readonly string[];
  readonly startedAt: number;
  readonly json: Record<string, unknown>;
}

function listed(own: readonly ListedRun[], imported: readonly storedRuns.ImportedRun[]): Listed[] {
  const shortIds = shortRunIds([
    ...own.map(({ runId }) => runId),
    ...imported.map(({ run_id }) => run_id),
  ]);
  const all = [
    ...own.map((run) => ({
      cells: [shortIds.get(run.runId) ?? "", ...cellsOf(run)],
      startedAt: run.createdAt,
      json: { ...summaryJson(run), ...forkJson(run) },
    })),
    ...imported.map((run) => ({
      cells: [shortIds.get(run.run_id) ?? "", ...importedCells(run)],
      startedAt: run.started_at ?? 0,
      json: importedJson(run),
    })),
  ];
  // Stored runs keep the store's order, also where two began at the same time.
  return imported.length === 0 ? all : all.sort((a, b) => b.startedAt - a.startedAt);
}

const TITLES = ["run", "graph", "status", "started (UTC)", "steps", "tokens", "cost", "why"];
const NUMBERS = ["steps", "tokens", "cost"];

const columns: readonly TextColumn<Listed>[] = TITLES.map((title, at) => ({
  title,
  cell: ({ cells }) => cells[at] ?? "",
  ...(NUMBERS.includes(title) ? { isNumber: true } : {}),
}));

function cellsOf(run: ListedRun): readonly string[] {
  const { graph, createdAt, steps, usage } = run;
  const tokens = `${usage.inputTokens + usage.outputTokens}`;
  const face = [graph, statusText(run), timeText(createdAt)];
  return [...face, `${steps}`, tokens, costText(usage.costUsd), whyText(run)];
}

function statusText(run: RunSummary): string {
  return isLost(run) ? `${run.status} (lost)` : run.status;
}

function whyText({ status, reason, error, forkedFrom, expiry }: ListedRun): string {
  if (expiry !== undefined) return expiry;
  if (error === undefined && forkedFrom !== undefined) return `forked from ${forkText(forkedFrom)}`;
  if (error !== undefined) return `${error.code}: ${error.message.split("\n", 1)[0]}`;
  return status === "succeeded" ? "" : (reason ?? "");
}

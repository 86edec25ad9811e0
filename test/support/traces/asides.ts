/** What a commit of a generated run tells beside its writes. */
import type { EventRow } from "../../../runtime/trace/schema/tables.ts";
import type { Run } from "./node-runs.ts";
import type { NodeRun } from "./run-rows.ts";

/** Where the run goes on; nowhere once it is done. */
export function route({ rows }: Run, from: NodeRun | undefined, to: readonly NodeRun[]): void {
  const targets = to.map(
    ({ node, number, label }) => `{"node":"${node}","nodeRun":${number},"label":"${label}"}`,
  );
  rows.add("route.chosen", {
    ...(from === undefined ? {} : { node: from.node, node_run: from.number }),
    step: rows.step,
    payload: `{"to":[${targets.join(",")}],"ended":${to.length === 0 ? 1 : 0}}`,
  });
}

/** Tells another node something. */
export function tell(
  run: Run,
  from: NodeRun,
  { to, kind }: { readonly to: string; readonly kind: string },
): void {
  const text = run.words.text(140);
  run.rows.add("message.sent", {
    ...behind(run, from),
    name: `m${from.number}.1`,
    sender: from.node,
    receiver: to,
    reason: kind,
    payload: `{"sender":"${from.node}","receiver":"${to}","payload":"${text}","artifacts":[]}`,
  });
}

/** Reads what these have told. */
export function readFrom(run: Run, reader: NodeRun, senders: readonly NodeRun[]): void {
  for (const { number } of senders) {
    run.rows.add("message.read", { ...behind(run, reader), name: `m${number}.1` });
  }
}

/** Keeps the report. */
export function keepReport(run: Run, from: NodeRun, report: string): void {
  const hash = run.rows.is.runId.replaceAll("-", "").repeat(2);
  run.rows.add("artifact.created", {
    ...behind(run, from),
    name: `report.md@${hash.slice(0, 12)}`,
    reason: "report",
    payload: `{"name":"report.md","mime":"text/markdown","hash":"${hash}","bytes":${report.length}}`,
  });
}

/** The record that has just been made, as one of a node run. */
function behind({ rows }: Run, { node, number, id, label }: NodeRun): EventRow {
  return { node, node_run: number, node_run_id: id, label, attempt: 1, step: rows.step };
}

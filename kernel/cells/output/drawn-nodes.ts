/** Tells pages about nodes of the drawings that they show, and sets breakpoints there. */
import { type DrivenRun, messageOf } from "../../../runtime/index.ts";
import type { Comm, CommMessage } from "../../comms/comm.ts";
import type { Comms } from "../../comms/comms.ts";
import { drawnGraph, nodeDetails, nodeDetailsInRun } from "../../display/index.ts";
import { isRecord } from "../../is-record.ts";
import { currentSession } from "../../session.ts";

/** Our extension of JupyterLab opens a comm to it for each node that is looked at. */
const TARGET = "madrigal.nodes";

/** The runs that are drawn here, as cells have them: a stored run that is opened is another object. */
const drawn = new Map<string, WeakRef<DrivenRun>>();
const KEPT = 1_000;

export function rememberDrawn(run: DrivenRun): void {
  drawn.delete(run.id);
  drawn.set(run.id, new WeakRef(run));
  const [oldest] = drawn.keys();
  if (drawn.size > KEPT && oldest !== undefined) drawn.delete(oldest);
}

function runOf(id: string): DrivenRun {
  return drawn.get(id)?.deref() ?? currentSession().open(id);
}

export function tellAboutNodes(comms: Comms): void {
  comms.target(TARGET, (comm, { data }) => {
    const asked = isRecord(data) ? data : {};
    const node = String(asked.node);
    const answer = (work: () => unknown) => {
      try {
        comm.send(work());
      } catch (thrown) {
        comm.send({ title: node, fault: messageOf(thrown) });
      }
    };
    if (typeof asked.run !== "string") return answer(() => inGraph(String(asked.graph), node));
    const id = asked.run;
    answer(() => inRun(runOf(id), node));
    followNode(comm, ({ data: request }) => {
      answer(() => {
        const run = runOf(id);
        if (isRecord(request) && typeof request.breaks === "boolean")
          breakAt(run, node, request.breaks);
        return inRun(run, node);
      });
    });
  });
}

function followNode(comm: Comm, take: (message: CommMessage) => void): void {
  const end = comm.onMessage(take);
  comm.onClose(end);
}

function inGraph(hash: string, node: string) {
  const ir = drawnGraph(hash);
  const details = ir && nodeDetails(ir, node);
  return details ?? { title: node, fault: "this kernel does not know the graph: run its cell" };
}

function inRun(run: DrivenRun, node: string) {
  const details = nodeDetailsInRun(run, node);
  if (details === undefined) return { title: node, fault: "the run's graph has no such node now" };
  const isOver = ["succeeded", "failed", "aborted"].includes(run.status);
  const breaks = run.breakpointsBefore(node).length > 0;
  return { ...details, ...(isOver ? {} : { breaks }) };
}

function breakAt(run: DrivenRun, node: string, isSet: boolean): void {
  const there = run.breakpointsBefore(node);
  if (isSet && there.length === 0) run.setBreakpoint({ node, when: "before" });
  if (!isSet) for (const remove of there) remove();
}

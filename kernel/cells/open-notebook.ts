/** Opens the engine of cells and the session of their runs. */
import { type DrivenRun, Session, workspaceAt } from "../../runtime/index.ts";
import { answerAgents } from "../agent-access/agent-comm.ts";
import { Comms } from "../comms/comms.ts";
import { NotebookDebugging } from "../debugging/notebook-debugging.ts";
import { warningText } from "../debugging/warning-text.ts";
import { drawingsReady, followRun, isDisplayed, toBundle } from "../display/index.ts";
import { useHost } from "../host.ts";
import type { JupyterLink } from "../jupyter/main/start.ts";
import { serveOwnInstance } from "../library/own-instance.ts";
import { currentSession, useSession } from "../session.ts";
import { startThreadOf } from "../startup/start-thread.ts";
import type { TypeClient } from "../types/client.ts";
import { createHost } from "./cell-host.ts";
import { followInCell } from "./cell-runs.ts";
import { cellHere } from "./current-cell.ts";
import { CellEngine } from "./engine.ts";
import { forbidExit, showStrays } from "./guard-process.ts";
import { captureStreams } from "./output/capture-streams.ts";
import { tellAboutNodes } from "./output/drawn-nodes.ts";
import { KeptDisplays } from "./output/kept-displays.ts";
import { mapStacks } from "./output/stacks.ts";
import { tellNames } from "./output/told-names.ts";
import { Settings } from "./settings.ts";

export interface OpenNotebook {
  readonly engine: CellEngine;
  readonly comms: Comms;
  readonly debugging: NotebookDebugging;
  /** Cancels the cells under way, pauses what runs, and gives the process back what was taken from it. */
  close(): Promise<void>;
}

export function openNotebook(link: JupyterLink, types: TypeClient): OpenNotebook {
  const settings = new Settings(process.env);
  link.folder(workspaceAt(process.cwd(), process.env).dataDir);
  const display = { toBundle, isDisplayed, followRun, drawingsReady };
  const isDrawn = () => settings.isDrawing;
  const follow = followInCell({ ...display, isDrawn });
  const debugging = new NotebookDebugging(() => ({
    tell: link.debug,
    session: currentSession,
    names: engine.names,
    declare: (declared) => types.declare(declared),
  }));
  const started = (run: DrivenRun) => {
    follow(run);
    const cell = cellHere();
    run.watchWarnings((warning) => {
      const text = warningText(warning, run);
      if (cell === undefined) process.stderr.write(`${text}\n`);
      else cell.warn(text);
    });
    debugging.started(run);
  };
  useSession(new Session({ name: "kernel", isLasting: true, started, startThread: startThreadOf }));
  const displays = new KeptDisplays(link.output);
  const kept = { ...link, output: displays.output };
  const parts = { link: kept, types: () => types, display, session: currentSession, settings };
  const engine = new CellEngine(parts);
  const comms = new Comms({
    link,
    requestHere: () => cellHere()?.request.id,
    call: (work) => engine.handle(work),
  });
  displays.answer(comms);
  tellAboutNodes(comms);
  tellNames(comms, engine.names);
  answerAgents(comms, { memory: engine.memory, names: engine.names, session: currentSession });
  useHost({
    ...createHost(link, comms, engine.names),
    changed: (value) => engine.changed(value),
  });
  serveOwnInstance();
  const restores = [captureStreams(), forbidExit(), showStrays(), mapStacks()];
  return {
    engine,
    comms,
    debugging,
    async close() {
      engine.cancel();
      await currentSession().close();
      await types.close();
      for (const restore of restores) restore();
    },
  };
}

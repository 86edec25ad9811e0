/** Publishes what cells show on iopub, under the header of the request that ran them. */
import type { Bundle, CellOutput } from "../../cell-output.ts";
import type { RequestId } from "../link.ts";
import type { FrontEnd } from "../wire/front-end.ts";
import type { Dict, ParentHeader } from "../wire/message.ts";
import { RestFiles } from "./rest-files.ts";
import { StreamBatch, type StreamPart } from "./stream-batch.ts";

/** A cell as its outputs need it. */
export interface ShownCell {
  readonly id: RequestId;
  readonly parent: ParentHeader;
  readonly executionCount: number;
  /** Its result is not shown. */
  readonly silent: boolean;
  /** The front end's name of the cell, by which a page that was reloaded knows where outputs belong. */
  readonly cellId?: string;
  readonly resulted?: (plainText: string) => void;
}

interface OutputsUnderWay {
  /** Main may leave the error to the reply. */
  isErrorShown: boolean;
  /** For the front end's pager. */
  readonly pages: Bundle[];
}

// Timers of cells longer ago print without a parent.
const CELLS_MAX = 4096;

export class Outputs {
  readonly #frontEnd: FrontEnd;
  readonly #cells = new Map<RequestId, ShownCell>();
  readonly #streams: StreamBatch;
  readonly #rests: RestFiles;
  /** The newest last. */
  readonly #underWay = new Map<RequestId, OutputsUnderWay>();

  /**
   * `folder` returns the folder for outputs that are too long to be shown; undefined where there is
   * none.
   */
  constructor(frontEnd: FrontEnd, folder: () => string | undefined = () => undefined) {
    this.#frontEnd = frontEnd;
    this.#rests = new RestFiles(folder, { nameOf: (id) => this.#nameOf(id) });
    this.#streams = new StreamBatch((part) => this.#print(part));
  }

  begin(cell: ShownCell): void {
    this.#cells.delete(cell.id); // A front end may send an id twice: the newest counts.
    this.#cells.set(cell.id, cell);
    const [oldest] = this.#cells.keys();
    if (this.#cells.size > CELLS_MAX && oldest !== undefined) {
      this.#cells.delete(oldest);
      this.#rests.forget(oldest);
    }
    this.#underWay.set(cell.id, { isErrorShown: false, pages: [] });
  }

  /** Forgets a request; returns the facts about its outputs that its reply needs. */
  end(id: RequestId): Readonly<OutputsUnderWay> {
    const ended = this.#underWay.get(id) ?? { isErrorShown: false, pages: [] };
    this.#underWay.delete(id);
    return ended;
  }

  show(id: RequestId, output: CellOutput): void {
    if (output.kind !== "stream") this.flush();
    switch (output.kind) {
      case "stream":
        this.#streams.write({ id, name: output.name, text: output.text });
        break;
      case "display":
        this.#publish("display_data", displayContent(output.bundle, output.displayId), id);
        break;
      case "update": {
        // A display is found by its id. nbclient listens to nobody but the cell under way, whoever showed it first.
        const content = displayContent(output.bundle, output.displayId);
        this.#publish("update_display_data", content, this.heardOf(id));
        break;
      }
      case "result":
        this.#result(id, output.bundle);
        break;
      case "error": {
        const { ename, evalue, traceback } = output;
        const cell = this.#underWay.get(id);
        if (cell !== undefined) cell.isErrorShown = true;
        this.#publish("error", { ename, evalue, traceback }, id);
        break;
      }
      case "page":
        // A cell that is over has had its reply, which alone carries pages.
        if (!this.#underWay.has(id))
          this.#publish("display_data", displayContent(output.bundle), id);
        this.#underWay.get(id)?.pages.push(output.bundle);
        break;
      case "clear":
        this.#publish("clear_output", { wait: output.wait }, id);
        break;
    }
  }

  /** Sends the text that is held; before anything else that concerns a cell. */
  flush(): void {
    this.#streams.flush();
  }

  /** The cell under whose header a client hears what is for all clients: this one, else the newest under way. */
  heardOf(id: RequestId): RequestId {
    if (this.#underWay.has(id)) return id;
    const shown = [...this.#underWay.keys()].filter((each) => !this.#cells.get(each)?.silent);
    return shown.at(-1) ?? id;
  }

  /** The header of a request; empty when it is forgotten. */
  parentOf(id: RequestId): ParentHeader {
    return this.#cells.get(id)?.parent ?? {};
  }

  #result(id: RequestId, { data, metadata }: Bundle): void {
    const cell = this.#cells.get(id);
    if (cell?.silent === true) return;
    const plain = data["text/plain"];
    if (typeof plain === "string") cell?.resulted?.(plain);
    const content = { execution_count: cell?.executionCount ?? 0, data, metadata };
    this.#publish("execute_result", content, id);
  }

  #print(part: StreamPart): void {
    const { text, file } = this.#rests.take(part);
    if (text !== "") this.#publish("stream", { name: part.name, text }, part.id);
    if (file === undefined) return;
    const plain = `${part.name} is too long to be shown; from here on it is written to ${file}`;
    const bundle = { data: { "text/plain": plain }, metadata: {} };
    this.#publish("display_data", displayContent(bundle), part.id);
  }

  /** Tells the cell's number, and one run of a cell from another. */
  #nameOf(id: RequestId): string {
    const count = this.#cells.get(id)?.executionCount ?? 0;
    return `cell-${count}-${id.replaceAll(/[^\w-]/g, "_").slice(0, 40)}`;
  }

  #publish(type: string, content: Dict, id: RequestId): void {
    const parent = this.parentOf(id);
    const cellId = this.#cells.get(id)?.cellId;
    const metadata = cellId === undefined ? {} : { cellId };
    try {
      this.#frontEnd.publish(type, content, parent, { metadata });
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      const text = `madrigal: an output of this cell can't be shown, as it is no JSON: ${why}\n`;
      this.#frontEnd.publish("stream", { name: "stderr", text }, parent);
    }
  }
}

/** A notebook's file keeps the metadata and nothing that is transient: a page that was reloaded knows a display by them. */
function displayContent({ data, metadata }: Bundle, displayId?: string): Dict {
  if (displayId === undefined) return { data, metadata, transient: {} };
  const id = { display_id: displayId };
  return { data, metadata: { ...metadata, madrigal: id }, transient: id };
}

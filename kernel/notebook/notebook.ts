/** Declares a notebook in memory: members and names of nbformat 4.5, with sources and texts as one string. */

export interface NotebookFile {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly cells: readonly NotebookCell[];
}

export type NotebookCell = CodeCell | TextCell;

interface AnyCell {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly source: string;
}

export interface CodeCell extends AnyCell {
  readonly cell_type: "code";
  readonly execution_count: number | null;
  readonly outputs: readonly Output[];
}

export interface TextCell extends AnyCell {
  readonly cell_type: "markdown" | "raw";
  readonly attachments?: Readonly<Record<string, MimeData>>;
}

/** Text by mime type; types that end in `json` hold JSON. */
export type MimeData = Readonly<Record<string, unknown>>;

export type Output = StreamOutput | DataOutput | ResultOutput | NotebookError;

export interface StreamOutput {
  readonly output_type: "stream";
  readonly name: string;
  readonly text: string;
}

interface AnyData {
  readonly data: MimeData;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface DataOutput extends AnyData {
  readonly output_type: "display_data";
}

export interface ResultOutput extends AnyData {
  readonly output_type: "execute_result";
  readonly execution_count: number | null;
}

export interface NotebookError {
  readonly output_type: "error";
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

export function isCode(cell: NotebookCell): cell is CodeCell {
  return cell.cell_type === "code";
}

/** A cell that is sent to the kernel: empty ones are not. */
export function isRunnable(cell: NotebookCell): cell is CodeCell {
  return isCode(cell) && cell.source.trim() !== "";
}

export function tagsOf({ metadata }: NotebookCell): readonly string[] {
  const { tags } = metadata;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}

/** The title that its metadata or its first heading gives it. */
export function titleOf({ metadata, cells }: NotebookFile): string | undefined {
  if (typeof metadata.title === "string" && metadata.title !== "") return metadata.title;
  const heading = /^#[ \t]+(.+?)[ \t#]*$/m;
  return cells
    .filter((cell) => cell.cell_type === "markdown")
    .map(({ source }) => heading.exec(source)?.[1])
    .find((title) => title !== undefined);
}

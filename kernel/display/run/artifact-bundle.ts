/** Shows the artifacts that people look at: pictures, and the first rows of tables in CSV; and the page of a browser. */
import type { Artifact } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import type { Widget } from "../../widgets/widgets.ts";
import { bundleOf, HTML, PLAIN } from "../bundle.ts";
import { escapeMarkup } from "../escape.ts";
import { readCsv } from "../table/csv.ts";
import { tableBundle, tableOf } from "../table/table.ts";
import { counted, visibleLine } from "../visible.ts";

/** A larger one would be held three times by the notebook; `run.artifact(id)` reads it. */
const BYTES_MAX = 1_000_000;
const ROWS_MAX = 20;
/** The types that browsers show in an `<img>`, where no script of a picture runs and nothing is fetched. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|svg\+xml)$/;

type ShownArtifact = Pick<Artifact, "name" | "kind" | "mime" | "bytes" | "path">;

/** Returns whether an artifact is shown below its run: a picture, or a table that code has written. */
export function isShown({ kind, mime, bytes, path }: ShownArtifact): boolean {
  if (bytes > BYTES_MAX) return false;
  if (PICTURES.test(mime)) return kind === "image" || kind === "chart";
  return mime === "text/csv" && kind === "file" && path !== undefined;
}

export function artifactBundle(artifact: ShownArtifact, data: Uint8Array): Bundle {
  const { mime } = artifact;
  if (mime === "text/csv") return csvBundle(artifact, Buffer.from(data).toString("utf8"));
  const name = visibleLine(artifact.name);
  const text = `${name} (${mime}, ${counted(artifact.bytes, "byte")})`;
  return pictureIn({ name, text, mime, data });
}

export const PICTURE_TEXT = "A picture of the page of the agent's browser.";

/** Shows a picture of a page in JPEG, in the place of a widget that shows it where there is one. */
export function pictureOfPage(data: Uint8Array, widget?: Pick<Widget, "placed">): Bundle {
  const shown = { name: PICTURE_TEXT, text: PICTURE_TEXT, mime: "image/jpeg", data };
  const html = imageIn(shown);
  return bundleOf({ [HTML]: widget?.placed(html) ?? html, [PLAIN]: PICTURE_TEXT });
}

export function pictureSource(mime: string, data: Uint8Array): string {
  return `data:${mime};base64,${Buffer.from(data).toString("base64")}`;
}

interface ShownPicture {
  readonly name: string;
  /** Stands for it where no picture can be shown. */
  readonly text: string;
  readonly mime: string;
  readonly data: Uint8Array;
}

function pictureIn(picture: ShownPicture): Bundle {
  return bundleOf({ [HTML]: imageIn(picture), [PLAIN]: picture.text });
}

function imageIn({ name, mime, data }: ShownPicture): string {
  const source = pictureSource(mime, data);
  return `<img alt="${escapeMarkup(name)}" src="${source}" style="max-width:100%;background:#fff">`;
}

function csvBundle({ name }: ShownArtifact, text: string): Bundle {
  const [head = [], ...rows] = readCsv(text);
  const columns = head.map((column) => ({ name: column, type: "VARCHAR" }));
  const shown = rows.slice(0, ROWS_MAX);
  const table = tableOf(
    columns,
    shown.map((row) => Object.fromEntries(head.map((column, index) => [column, row[index] ?? ""]))),
  );
  const part = rows.length > shown.length ? `the first ${ROWS_MAX} of ` : "";
  return tableBundle({ ...table, caption: `${name}: ${part}${counted(rows.length, "row")}` });
}

/** Puts the files together that a form sends in pieces. */
import { ANSWER_BYTES_MAX, type GivenFile, RunError, tooLarge } from "../../../runtime/index.ts";
import { isRecord } from "../../is-record.ts";

/** The last upload of a form: another one takes its place. */
export class Upload {
  #id = "";
  #bytes = 0;
  #files: { readonly name: string; readonly pieces: Buffer[]; bytes: number }[] = [];

  /** Takes the next piece. Throws M5317 for one that does not follow, and for more bytes than an answer may have. */
  take(given: unknown): void {
    const { upload, index, name, at, data } = isRecord(given) ? given : {};
    if (index === 0 && at === 0) this.#begin(String(upload));
    if (upload !== this.#id || typeof data !== "string") throw interrupted();
    if (index === this.#files.length && at === 0)
      this.#files.push({ name: String(name), pieces: [], bytes: 0 });
    const file = this.#files.at(-1);
    if (file === undefined || index !== this.#files.length - 1 || at !== file.bytes)
      throw interrupted();
    const piece = Buffer.from(data, "base64");
    this.#bytes += piece.length;
    if (this.#bytes > ANSWER_BYTES_MAX) {
      this.#begin("");
      throw tooLarge();
    }
    file.bytes += piece.length;
    file.pieces.push(piece);
  }

  /** Returns the files of an upload that is whole, and forgets them. Throws M5317 for one that is not. */
  end(given: unknown): readonly GivenFile[] {
    const { upload, count } = isRecord(given) ? given : {};
    if (upload !== this.#id || count !== this.#files.length) throw interrupted();
    const files = this.#files.map(({ name, pieces }) => ({ name, data: Buffer.concat(pieces) }));
    this.#begin("");
    return files;
  }

  #begin(id: string): void {
    this.#id = id;
    this.#bytes = 0;
    this.#files = [];
  }
}

function interrupted(): RunError {
  return new RunError("M5317", "the upload was interrupted", {
    hint: "answer once more; only one page can send files at a time",
  });
}

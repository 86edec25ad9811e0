/** Reads a form with files (multipart/form-data): their names and bytes, and its other fields. */
import { ANSWER_BYTES_MAX, type GivenFile } from "../../runtime/index.ts";
import { readBytes } from "../read-body.ts";
import { HttpFault } from "./http-fault.ts";

/** Bytes of a form: those of its files, and what stands between them. */
const FORM_BYTES_MAX = ANSWER_BYTES_MAX + 256 * 1024;

export interface ReadForm {
  readonly body: Readonly<Record<string, string>>;
  readonly files: readonly GivenFile[];
}

/** Throws 415 for another kind of body, 413 for one that is too large, 408 and 400 for one that can't be read or has no file. */
export async function readForm(request: Request): Promise<ReadForm> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type))
    throw new HttpFault(415, "M7782", "the body is a form with files, and says so", {
      hint: "content-type: multipart/form-data, as of `curl -F file=@report.pdf`",
    });
  const form = await formIn(await bytesOf(request), type);
  const parts = [...form.entries()];
  const files = await Promise.all(
    parts.flatMap(([name, part]) =>
      name === "file" && typeof part !== "string" ? [givenFile(part)] : [],
    ),
  );
  if (files.length === 0)
    throw new HttpFault(400, "M7782", "the form has no `file`", {
      hint: "each file is a part called `file` with a `filename`",
    });
  const fields = parts.flatMap(([name, part]) => (typeof part === "string" ? [[name, part]] : []));
  return { body: Object.fromEntries(fields), files };
}

async function givenFile(file: File): Promise<GivenFile> {
  return { name: file.name, data: new Uint8Array(await file.arrayBuffer()) };
}

async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = new HttpFault(413, "M7781", "the files of a form have at most 25 MB together");
  if (Number(request.headers.get("content-length") ?? 0) > FORM_BYTES_MAX) throw tooLarge;
  const bytes = await readBytes(request, FORM_BYTES_MAX).catch(() => {
    throw new HttpFault(408, "M7781", "the body did not come whole");
  });
  if (bytes === undefined) throw tooLarge;
  return bytes;
}

async function formIn(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch (cause) {
    throw noForm(cause);
  }
}

function noForm(cause: unknown): HttpFault {
  const hint = "multipart/form-data, as of `curl -F file=@report.pdf`";
  return new HttpFault(400, "M7782", "the body is no form", { hint, cause });
}

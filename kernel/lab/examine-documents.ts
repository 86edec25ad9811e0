/** Examines which of the packages by which `files.open` reads documents are installed, for `madrigal doctor`. */
import { documents } from "../../runtime/index.ts";
import { type DoctorFinding, note, ok } from "./finding.ts";

const PART = "documents";

/** Looks for the packages; none is loaded. */
export function examineDocuments(): DoctorFinding {
  const all = Object.entries(documents.DOCUMENT_PACKAGES);
  const missing = all.filter(([, one]) => documents.findDocumentPackage(one) === undefined);
  const names = (some: typeof all) => some.map(([kind, { name }]) => `${name} for .${kind}`);
  if (missing.length === 0) return ok(PART, names(all).join(", "));
  const wanted = missing.map(([, { name, version }]) => `${name}@${version}`);
  const hint = `only for \`files.open\`: run: npm install ${wanted.join(" ")}`;
  return note(PART, `not installed: ${names(missing).join(", ")}`, hint);
}

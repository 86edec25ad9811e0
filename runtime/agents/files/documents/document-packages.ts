/** Names the packages that read documents, and finds them. */
import { findInstalled } from "../../models/providers/packages.ts";
import { filesError } from "../files-error.ts";

/** The kinds of documents that a package converts. */
export type PackagedKind = "pdf" | "docx" | "xlsx";

/** A package that reads documents of one kind, installed by who has such documents. */
export interface DocumentPackage {
  readonly name: string;
  readonly version: string;
  /** The name by which it is imported. */
  readonly entry: string;
}

export const DOCUMENT_PACKAGES: Readonly<Record<PackagedKind, DocumentPackage>> = {
  pdf: { name: "unpdf", version: "^1.7.0", entry: "unpdf" },
  docx: { name: "mammoth", version: "^1.13.0", entry: "mammoth" },
  xlsx: { name: "read-excel-file", version: "^9.3.0", entry: "read-excel-file/node" },
};

/** Returns the file of a package; undefined where it is not installed. */
export function findDocumentPackage({ entry }: DocumentPackage): string | undefined {
  return findInstalled(entry);
}

/** Returns the file of the package for a kind. Throws M8326 where it is not installed. */
export function documentPackage(kind: PackagedKind): string {
  const { name, version } = DOCUMENT_PACKAGES[kind];
  const found = findDocumentPackage(DOCUMENT_PACKAGES[kind]);
  if (found !== undefined) return found;
  throw filesError("M8326", {
    message: `the package ${name}, which reads .${kind}, is not installed`,
    hint: `\`npm install ${name}@${version}\``,
  });
}

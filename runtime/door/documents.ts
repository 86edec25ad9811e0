/** Groups for the door the packages that read documents, and what finds them. */
export {
  DOCUMENT_PACKAGES,
  findDocumentPackage,
} from "../agents/files/documents/document-packages.ts";

/** Stores the bytes of artifacts that functions and tools make, without secrets. */
import type { Redactor } from "../../redaction/redact.ts";
import type { Artifacts } from "../../store/run-store.ts";
import type { KeepArtifact } from "./make-artifact.ts";

/** Keeps bytes in the store of a run; texts without the secrets that are known. */
export function keeping(artifacts: Pick<Artifacts, "put">, { redactText }: Redactor): KeepArtifact {
  return (bytes, info) => {
    if (!isText(info.mime)) return artifacts.put(bytes, info);
    const text = new TextDecoder().decode(bytes);
    const shown = redactText(text);
    return artifacts.put(shown === text ? bytes : new TextEncoder().encode(shown), info);
  };
}

function isText(mime: string): boolean {
  return mime.startsWith("text/") || mime === "application/json" || mime === "image/svg+xml";
}

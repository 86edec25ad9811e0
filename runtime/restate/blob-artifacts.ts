/** Artifacts of runs as files of the folder of blobs. What they are is told by the records that name them. */
import { createHash } from "node:crypto";
import { RunError } from "../failure.ts";
import type { Blobs } from "../store/database/tables.ts";
import type { Artifacts } from "../store/run-store.ts";

export function blobArtifacts(blobs: Blobs): Artifacts {
  return {
    put(bytes) {
      const hash = createHash("sha256").update(bytes).digest("hex");
      blobs.put(hash, bytes);
      blobs.syncNow();
      return { hash, bytes: bytes.length };
    },
    async putPieces(pieces) {
      const put = await blobs.putPieces(pieces);
      blobs.syncNow();
      return put;
    },
    get(hash) {
      const bytes = blobs.get(hash);
      if (bytes !== undefined) return bytes;
      throw new RunError("M5805", `the folder of blobs has no \`${hash}\``, {
        hint: "all workers, and whoever pulls a run, need the same folder: `--blobs FOLDER`",
      });
    },
    info: () => undefined,
  };
}

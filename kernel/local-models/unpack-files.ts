/** Takes files out of a zip archive, piece by piece: none of them is in memory whole. */
import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { Unzip, UnzipInflate } from "fflate";

/** Writes the files that `targets` names by their paths in the archive; throws where one is not in it. */
export async function unpackFiles(
  archive: string,
  targets: Readonly<Record<string, string>>,
): Promise<void> {
  const missing = new Set(Object.keys(targets));
  const open = new Set<number>();
  const unzip = new Unzip((file) => {
    const target = Object.hasOwn(targets, file.name) ? targets[file.name] : undefined;
    if (target === undefined) return;
    const descriptor = openSync(target, "w");
    open.add(descriptor);
    file.ondata = (error, chunk, isLast) => {
      if (error !== null) throw error;
      writeSync(descriptor, chunk);
      if (!isLast) return;
      missing.delete(file.name);
      open.delete(descriptor);
      closeSync(descriptor);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for await (const chunk of createReadStream(archive)) unzip.push(chunk);
    unzip.push(new Uint8Array(), true);
  } finally {
    open.forEach(closeSync);
  }
  if (missing.size > 0) throw new Error(`${archive} has no ${[...missing].join(", ")}`);
}

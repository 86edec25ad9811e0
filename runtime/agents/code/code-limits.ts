/** Declares the limits within which code runs, and how code is kept from the rest of the machine. */

/** `bwrap`: by bubblewrap, without network, home and other files; `open`: as any program of this user. */
export type CodeSandbox = "bwrap" | "open";

/** The limits of one call. */
export interface CodeLimits {
  /** The time for all of a call, and the processor time of each of its processes, in milliseconds. */
  readonly timeoutMs: number;
  /** The memory of all processes together, in bytes. */
  readonly memoryBytesMax: number;
  /** The bytes by which the work folder may grow. */
  readonly diskBytesMax: number;
  /** The bytes of one file. */
  readonly fileBytesMax: number;
  /** The processes and threads at once. */
  readonly processesMax: number;
  /** The bytes of stdout, and of stderr, that are kept. */
  readonly outputBytesMax: number;
}

const MIB = 1024 * 1024;

export const USUAL_LIMITS: CodeLimits = {
  timeoutMs: 30_000,
  memoryBytesMax: 512 * MIB,
  diskBytesMax: 256 * MIB,
  fileBytesMax: 64 * MIB,
  processesMax: 64,
  outputBytesMax: MIB / 16,
};

/** Code that writes more than this to stdout or stderr is stopped. */
export const FLOOD_BYTES_MAX = 16 * MIB;

/** The files in memory of a sandbox, in bytes each: `/tmp` and `/dev/shm`. */
export const MEMORY_FILES_BYTES_MAX = 64 * MIB;

/** The private memory that V8 reserves for its code, in bytes; it uses little of it. */
const V8_CODE_BYTES = 512 * MIB;

/** Returns the command that starts another one with these limits, which the kernel holds for each process. */
export function limitedCommand(
  { timeoutMs, memoryBytesMax, fileBytesMax, processesMax }: CodeLimits,
  sandbox: CodeSandbox,
): readonly string[] {
  const seconds = Math.ceil(timeoutMs / 1000);
  return [
    "prlimit",
    // The private memory of a process. Its address space says nothing: V8 reserves far more than it uses.
    `--data=${memoryBytesMax + V8_CODE_BYTES}`,
    `--cpu=${seconds}:${seconds + 1}`,
    `--fsize=${fileBytesMax}`,
    "--nofile=256",
    "--core=0",
    // Outside a user namespace of its own this counts every process of the user.
    ...(sandbox === "bwrap" ? [`--nproc=${processesMax}`] : []),
    "--",
  ];
}

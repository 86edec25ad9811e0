/**
 * Makes the filter of system calls for code in a sandbox: a program for the kernel's packet filter (BPF), as seccomp takes it. What
 * ordinary programs do not need, and faults of kernels were found in, is refused; all else is allowed.
 */

/** The numbers of a denied call by the architecture: `unistd_64.h`, and the common table that arm64 uses. */
type CallNumbers = readonly [x64: number, arm64: number];

/** Refused with EPERM. */
export const DENIED_CALLS: Readonly<Record<string, CallNumbers>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_by_handle_at: [304, 265],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  syslog: [103, 116],
  acct: [163, 89],
  quotactl: [179, 60],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
};

interface Architecture {
  /** `AUDIT_ARCH_…`: code can call the kernel as a program of another architecture. */
  readonly audit: number;
  readonly column: 0 | 1;
  readonly clone: number;
}

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000003e, column: 0, clone: 56 },
  arm64: { audit: 0xc00000b7, column: 1, clone: 220 },
};

const CLONE3 = 435;
/** The flags of `clone` that make a namespace. */
const NAMESPACES = 0x7e020000;
/** The bit in the numbers of the calls of x32, a second table on x64. */
const X32 = 0x40000000;

/** The places in `struct seccomp_data`; both architectures put the lower half of an argument first. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const EPERM = 0x00050000 | 1;
/** With ENOSYS libraries take `clone` in the place of `clone3`, whose flags no filter can read. */
const ENOSYS = 0x00050000 | 38;

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** The instructions that are passed over where the condition holds, and where not. */
  readonly yes?: number;
  readonly no?: number;
}

/** Returns the filter for `bwrap --seccomp`; undefined for an architecture whose calls are not known here. */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  const of = Object.hasOwn(ARCHITECTURES, arch) ? ARCHITECTURES[arch] : undefined;
  if (of === undefined) return undefined;
  return assembled([
    { code: LOAD, value: ARCHITECTURE },
    { code: IF_EQUAL, value: of.audit, yes: 1 },
    { code: RETURN, value: EPERM },
    { code: LOAD, value: NUMBER },
    ...(arch === "x64" ? refused(X32, ENOSYS, IF_AT_LEAST) : []),
    ...Object.values(DENIED_CALLS).flatMap((numbers) => refused(numbers[of.column], EPERM)),
    ...refused(CLONE3, ENOSYS),
    { code: IF_EQUAL, value: of.clone, no: 3 },
    { code: LOAD, value: FIRST_ARGUMENT },
    { code: IF_ANY_BIT, value: NAMESPACES, no: 1 },
    { code: RETURN, value: EPERM },
    { code: RETURN, value: ALLOW },
  ]);
}

function refused(value: number, by: number, code = IF_EQUAL): readonly Instruction[] {
  return [
    { code, value, no: 1 },
    { code: RETURN, value: by },
  ];
}

/** Writes `struct sock_filter` after `struct sock_filter`. */
function assembled(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, value, yes = 0, no = 0 }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

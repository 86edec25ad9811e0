/** The system calls that code in a sandbox is refused, each made in real bubblewrap. */
import { expect, test } from "vitest";
import { DENIED_CALLS, seccompFilter } from "../../../../runtime/agents/code/seccomp-filter.ts";
import { createCodeTools } from "../../../../runtime/index.ts";
import { missing } from "../../../support/python-env.ts";

const reason = await missing("bubblewrap");
const column = process.arch === "arm64" ? 1 : 0;
const filtered = test.skipIf(reason !== undefined || seccompFilter() === undefined);

/** Runs Python, and returns the lines that it printed. */
async function printed(code: string): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await createCodeTools().run({ language: "python", code });
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout.trim().split("\n");
}

const CALL = `import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    ctypes.set_errno(0)
    result = libc.syscall(*args)
    return errno.errorcode[ctypes.get_errno()] if result < 0 else "done"
`;

filtered(
  "M38 each dangerous system call is refused before the kernel looks at its arguments",
  async () => {
    const names = Object.keys(DENIED_CALLS);
    const numbers = Object.values(DENIED_CALLS).map((pair) => pair[column]);
    // -1 is no descriptor, address or flag: without a filter these are EBADF, EFAULT, EINVAL.
    const lines = await printed(
      `${CALL}for number in ${JSON.stringify(numbers)}: print(call(number, -1, -1, -1, -1, -1, -1))`,
    );
    const refused = names.filter((_, index) => lines[index] === "EPERM");
    expect(refused).toEqual(names);
  },
);

filtered(
  "M38 no process gets a namespace of its own, and processes and threads begin as ever",
  async () => {
    const clone = process.arch === "arm64" ? 220 : 56;
    const lines = await printed(`${CALL}import subprocess, threading
print(call(${clone}, 0x10000000 | 17, 0, 0, 0, 0))
print(call(435, 0, 0))
print(subprocess.run(["echo", "a process"], capture_output=True, text=True).stdout.strip())
thread = threading.Thread(target=lambda: print("a thread"))
thread.start()
thread.join()
print(open("/proc/self/status").read().split("Seccomp:")[1].split()[0])`);
    expect(lines).toEqual(["EPERM", "ENOSYS", "a process", "a thread", "2"]);
  },
);

test.skipIf(reason !== undefined || process.arch !== "x64")(
  "M38 the second table of calls of x64 leads around nothing",
  async () => {
    expect(await printed(`${CALL}print(call(0x40000000 + 39))`)).toEqual(["ENOSYS"]);
  },
);

test("a filter ends in each path, and unknown architectures have none", () => {
  expect(seccompFilter("mips")).toBeUndefined();
  for (const arch of ["x64", "arm64"]) {
    const bytes = seccompFilter(arch) ?? Buffer.alloc(0);
    const program = Array.from({ length: bytes.length / 8 }, (_, at) =>
      bytes.subarray(at * 8, at * 8 + 8),
    );
    expect(program.at(-1)?.readUInt16LE(0)).toBe(0x06);
    for (const [at, one] of program.entries())
      expect(at + 1 + Math.max(one[2] ?? 0, one[3] ?? 0)).toBeLessThan(program.length + 1);
  }
});

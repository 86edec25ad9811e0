/** Code that tries to leave its sandbox, to take all of the machine, or to stay: as root and as an ordinary user, in real bubblewrap. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CodeResult, createCodeTools } from "../../runtime/index.ts";
import { projectNode, temporaryFolder } from "../support/child.ts";
import { missing } from "../support/python-env.ts";
import { holdCaseCount } from "./attack-table.ts";

const reason = await missing("bubblewrap");
const NOBODY = 65_534;
const SECRET = `madrigal-secret-${process.pid}`;
const here = join(import.meta.dirname, "sandbox");
const MB = 1024 * 1024;

const isRoot = process.getuid?.() === 0;
interface CodeStarter {
  readonly user?: number;
  /** The place of temporary folders. */
  readonly temporary: string;
  readonly isMissing: boolean;
}

/** Only its owner may pass it: another user's sandbox has to be made by root. */
const closed = mkdtempSync(join(tmpdir(), "madrigal-closed-"));

const users: readonly (readonly [string, CodeStarter])[] = [
  ["root", { temporary: tmpdir(), isMissing: !isRoot }],
  ["root in a folder that only root can reach", { temporary: closed, isMissing: !isRoot }],
  [
    "an ordinary user",
    { temporary: tmpdir(), isMissing: false, ...(isRoot ? { user: NOBODY } : {}) },
  ],
];

const servers: Server[] = [];
const abstract = `madrigal-attacked-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), "madrigal-attacked-"));
const socket = join(folder, "socket");
let port = 0;

beforeAll(async () => {
  for (const at of [0, `\0${abstract}`, socket]) {
    const server = createServer((socket) => socket.end()).listen(at);
    await once(server, "listening");
    servers.push(server);
    const address = server.address();
    if (typeof address === "object" && address !== null) port = address.port;
  }
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
  rmSync(closed, { recursive: true });
});

/** The permitted outcomes of the attempts of `attacks.py`; any other is a way out. */
const HELD: Readonly<Record<string, readonly unknown[]>> = {
  "connect to the internet": ["ENETUNREACH"],
  "connect to a server of this machine": ["ECONNREFUSED"],
  "connect over IPv6": ["ECONNREFUSED", "EADDRNOTAVAIL"],
  "ask for a name": ["gaierror"],
  "connect to an abstract socket": ["ECONNREFUSED"],
  "connect to a socket in a folder": ["ENOENT"],
  "open a raw socket": ["EPERM"],
  "find a network interface": [[]],
  "signal the engine by its number": ["ESRCH"],
  "trace the engine": ["EPERM"],
  "see other processes": [[]],
  "read the engine's places from a command line": [false],
  "read a secret from an environment": [[]],
  "reach the machine's files by a process": [false, "EACCES"],
  "enter the namespaces of the first process": ["EPERM", "EACCES"],
  "inherit open files": [[]],
  "set a value of the kernel": ["EACCES"],
  "press a magic key": ["ENOENT", "EACCES"],
  "raise its score against the memory killer": ["EACCES"],
  "find cgroups or sysfs": ["ENOENT"],
  "find a device": [[]],
  "make a device": ["EPERM"],
  "read passwords": ["ENOENT"],
  "list users": ["ENOENT"],
  "read the home of root": ["ENOENT"],
  "read homes": ["ENOENT"],
  "read keys": ["ENOENT"],
  "read the engine's folder": ["ENOENT"],
  "read along a link out of the folder": ["ENOENT"],
  "leave a link as a result": ["left"],
  "leave a pipe as a result": ["left"],
  "link a file of the system hard": ["EXDEV"],
  "write to /": ["EROFS"],
  "write to /usr/bin": ["EROFS"],
  "write to /etc": ["EROFS"],
  "write to /opt/madrigal": ["EROFS"],
  "write to /dev": ["EROFS"],
  "write to /proc": ["ENOENT"],
  "write to our Node": ["EACCES", "EROFS"],
  "become root": ["EINVAL", "EPERM"],
  "become root by a setuid program": [[1, true, true]],
  "have a capability": [[]],
  mount: ["EPERM"],
  "make the system writable": ["EPERM"],
  unmount: ["EPERM"],
  "make a user namespace": ["ENOSPC", "EPERM"],
  "make a network namespace": ["EPERM"],
  "change the root": ["EPERM"],
  "change the name of the machine": ["EPERM"],
  "set the time": ["EPERM"],
  "load a module": ["ENOSYS", "EPERM"],
  "push keys into a terminal": [[]],
  "raise a limit": [[]],
  "fill a file": ["EFBIG"],
  "fill a sparse file": ["EFBIG"],
  "fill /tmp": ["ENOSPC"],
  "fill /dev/shm": ["ENOSPC"],
  "take memory": ["MemoryError"],
  "stay behind": ["started"],
  "start threads without end": [true],
  "fork without end": [true],
};

interface Attack {
  readonly options?: object;
  readonly language?: string;
  readonly code: string;
  readonly ends: Partial<Record<keyof CodeResult, unknown>>;
}

const python = (lines: string) => lines;
const STOPPED = (why: string) => ({ exitCode: 137, notes: [expect.stringContaining(why)] });

/** Each in a sandbox of its own, which it is the end of. */
const ENDS: Readonly<Record<string, Attack>> = {
  "kill all processes": {
    language: "shell",
    code: "kill -9 -1",
    ends: { exitCode: expect.toBeOneOf([1, 137]) },
  },
  "trace the sandbox's first process": {
    options: { timeoutMs: 2000 },
    code: "import ctypes; ctypes.CDLL(None).ptrace(16, 1, 0, 0); print('tried')",
    ends: { stdout: "tried\n" },
  },
  "a shell's fork bomb": {
    options: { timeoutMs: 2000 },
    language: "shell",
    code: "bomb() { bomb | bomb & }; bomb; sleep 60",
    ends: { exitCode: 124 },
  },
  "write without end": {
    language: "shell",
    code: "yes",
    ends: {
      exitCode: 137,
      notes: [expect.stringMatching(/^cut: /), expect.stringContaining(`more than ${16 * MB}`)],
    },
  },
  "write errors without end": {
    language: "shell",
    code: "yes >&2",
    ends: { exitCode: 137 },
  },
  "compute without end": {
    options: { timeoutMs: 1000 },
    code: "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
    ends: { exitCode: expect.toBeOneOf([124, 137]) },
  },
  "wait with closed outputs": {
    options: { timeoutMs: 1000 },
    code: "import os, time; os.close(1); os.close(2); time.sleep(600)",
    ends: { exitCode: 124 },
  },
  "take shared memory": {
    options: { memoryBytesMax: 64 * MB },
    code: python(`import mmap
held = mmap.mmap(-1, 2 << 30)
while True:
    held.seek(0)
    for _ in range(2 << 30 >> 20): held.write(bytes(1 << 20))`),
    ends: STOPPED("bytes of memory together"),
  },
  "take memory in many processes": {
    options: { memoryBytesMax: 64 * MB },
    code: python(`import os, time
for _ in range(8):
    if os.fork() == 0:
        held = bytearray(os.urandom(40 << 20))
        time.sleep(600)
time.sleep(600)`),
    ends: STOPPED("bytes of memory together"),
  },
  "fill files that have no name": {
    options: { diskBytesMax: 64 * MB },
    code: python(`import os, time
held = [os.memfd_create(str(number)) for number in range(8)]
for one in held: os.write(one, bytes(30 << 20))
time.sleep(600)`),
    ends: { exitCode: 137 },
  },
  "fill deleted files": {
    options: { diskBytesMax: 64 * MB },
    code: python(`import os, time
held = []
for number in range(8):
    held.append(open("deleted", "wb", 0)); os.unlink("deleted"); held[-1].write(os.urandom(30 << 20))
time.sleep(600)`),
    ends: STOPPED("its files grew"),
  },
  "fill the folder": {
    options: { diskBytesMax: 64 * MB },
    code: python(`import os, time
for number in range(8):
    with open(str(number), "wb") as file: file.write(os.urandom(30 << 20))
time.sleep(600)`),
    ends: { exitCode: 137, notes: expect.arrayContaining([expect.stringContaining("grew")]) },
  },
  "fill the folder with empty files": {
    code: python(`import os, time
for number in range(30_000): os.close(os.open(str(number), os.O_CREAT))
time.sleep(600)`),
    ends: { exitCode: 137, notes: expect.arrayContaining([expect.stringContaining("too many")]) },
  },
  "take the rights of its folders away": {
    language: "shell",
    code: "mkdir -p a/b/c; touch a/b/c/d; chmod 000 a/b a",
    ends: { exitCode: 0 },
  },
  "command a terminal by its output": {
    code: 'print("\\033]0;mine\\007\\033[31mred\\033[0m\\r\\nplain\\x08\\x9b")',
    ends: { exitCode: 0, stdout: "red\nplain\n" },
  },
};

describe.each(users)("code of %s", (_, starter) => {
  const { temporary, isMissing } = starter;
  const can = test.skipIf(reason !== undefined || isMissing);
  let held: Record<string, unknown>;
  let results: CodeResult[];

  beforeAll(async () => {
    if (reason !== undefined || isMissing) return;
    const given = { port, abstract, socket, pid: process.pid };
    const files = { "given.json": JSON.stringify({ ...given, folder, secret: SECRET }) };
    const first = {
      language: "python",
      code: readFileSync(join(here, "attacks.py"), "utf8"),
      files,
    };
    const others = Object.values(ENDS).map(({ options = {}, language = "python", code }) => [
      options,
      { language, code },
    ]);
    results = await runAs(starter, [[{}, first], ...others]);
    const [all] = results.splice(0, 1);
    expect(all).toMatchObject({ exitCode: 0, files: [], notes: [] });
    held = JSON.parse(all?.stdout ?? "");
  });

  can("every attempt is one of the table", () => {
    expect(Object.keys(held)).toEqual(Object.keys(HELD));
  });

  can.each(Object.entries(HELD))("can't %s", (name, outcomes) => {
    expect(outcomes).toContainEqual(held[name]);
  });

  can.each(Object.keys(ENDS))("ends: %s", (name) => {
    const result = results[Object.keys(ENDS).indexOf(name)];
    expect(result).toMatchObject(ENDS[name]?.ends as object);
  });

  can("leaves no process and no folder", () => {
    expect(processesWith(SECRET)).toEqual([]);
    const left = readdirSync(temporary).filter((name) =>
      name.startsWith(`madrigal-code-${childId}-`),
    );
    expect(left).toEqual([]);
  });
});

let childId: number | undefined;

/** Runs calls in a process of a user, who has a secret in the environment and a file open for all that it starts. */
async function runAs(
  { user, temporary }: CodeStarter,
  calls: readonly unknown[],
): Promise<CodeResult[]> {
  const secret = join(folder, "secret.txt");
  writeFileSync(secret, SECRET);
  const open = openSync(secret, "r");
  const child = spawn(projectNode, [join(here, "run-attacks.ts")], {
    env: { PATH: process.env.PATH ?? "", HOME: tmpdir(), TMPDIR: temporary, TOKEN: SECRET },
    stdio: ["pipe", "pipe", "inherit", "ignore", "ignore", open],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  childId = child.pid;
  child.stdin?.end(JSON.stringify(calls));
  try {
    return JSON.parse(await text(child.stdout as NodeJS.ReadableStream));
  } finally {
    closeSync(open);
    child.kill("SIGKILL");
  }
}

function processesWith(word: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  });
}

describe.skipIf(reason !== undefined)("a folder that stays", () => {
  test("a link in the place of the code's own file is not written through", async () => {
    const above = temporaryFolder();
    chmodSync(above, 0o755);
    const cwd = join(above, "work");
    const code = createCodeTools({ cwd });
    writeFileSync(join(above, "victim.sh"), "before");
    const link =
      "ln -sf ../victim.sh later.sh; rm madrigal_code.sh; ln -s ../victim.sh madrigal_code.sh";
    expect(await code.run({ language: "shell", code: link })).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(cwd, "madrigal_code.sh"))).toBe(false);
    symlinkSync("../victim.sh", join(cwd, "madrigal_code.sh"));
    await expect(code.run({ language: "shell", code: "true" })).rejects.toMatchObject({
      code: "M8320",
    });
    const named = { language: "shell", code: "true", files: { "later.sh": "after" } } as const;
    await expect(code.run(named)).rejects.toMatchObject({ code: "M8320" });
    expect(readFileSync(join(above, "victim.sh"), "utf8")).toBe("before");
  });

  test("files are named without folders, and secrets are not kept as results", async () => {
    const code = createCodeTools({ cwd: join(temporaryFolder(), "work") });
    for (const name of ["../a", "a/b", "/etc/a"])
      await expect(
        code.run({ language: "shell", code: "true", files: { [name]: "" } }),
      ).rejects.toMatchObject({ code: "M8333" });
    const found = await code.run({ language: "shell", code: "touch .env id_rsa plain.txt" });
    expect(found.files.map(({ path }) => path)).toEqual(["plain.txt"]);
  });
});

holdCaseCount();

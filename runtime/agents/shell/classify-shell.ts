/** Classifies command lines of a shell: known to be harmless, known to do damage, or for a person to look at. */
import type { Classified } from "../../scheduler/guard/decide-call.ts";
import { isSecretPath } from "../files/secret-paths.ts";
import { type SimpleCommand, splitShell } from "./split-shell.ts";

/**
 * Classifies a command line by the strictest of its commands. What is not known asks: only commands that read, with
 * plain words, are allowed; what destroys the machine or runs what the network sends is denied.
 */
export function classifyShell(line: string): Classified {
  return classifyLine(line, 0);
}

/** Lines within lines are looked into so deep. */
const DEPTH_MAX = 8;

function classifyLine(line: string, depth: number): Classified {
  if (depth > DEPTH_MAX) return asks("it has lines within lines");
  if (/^\s*$/.test(line)) return asks("it is empty");
  const compact = line.replace(/\s+/g, "");
  if (/(\S+)\(\)\{\1\|\1&\};\1/.test(compact)) return denies("it starts itself without an end");
  const { commands, inner, unclear } = splitShell(line);
  const verdicts = [
    ...(unclear === undefined ? [] : [asks(`it has ${unclear}`)]),
    // Characters that people do not see, and letters that only look like others.
    ...(/[^\t\n\x20-\x7e]/.test(line) ? [asks("it has characters beyond ASCII")] : []),
    ...inner.flatMap((one) => [
      asks("it has a command within a command"),
      classifyLine(one, depth + 1),
    ]),
    ...commands.map((command) => classifyCommand(command, depth)),
    ...(isNetworkRun(commands) ? [denies("it runs what the network sends")] : []),
  ];
  return strictest(verdicts);
}

function strictest(verdicts: readonly Classified[]): Classified {
  return (
    verdicts.find(({ decision }) => decision === "deny") ??
    verdicts.find(({ decision }) => decision === "ask") ?? {
      decision: "allow",
      reason: "it only reads",
    }
  );
}

function asks(reason: string): Classified {
  return { decision: "ask", reason };
}

function denies(reason: string): Classified {
  return { decision: "deny", reason };
}

// ── one command ─────────────────────────────────────────────────────────────────────────────────

function classifyCommand(command: SimpleCommand, depth: number): Classified {
  const { words, writesTo, readsFrom } = command;
  const texts = words.map(({ text }) => text);
  return strictest([
    classifyWords(texts, depth),
    ...writesTo.map(({ text }) => classifyTarget(text)),
    ...(words.some(({ isExpanded }) => isExpanded)
      ? [asks("the shell puts something else in the place of a word")]
      : []),
    ...[...texts, ...readsFrom.map(({ text }) => text)].flatMap((text) =>
      isSecretPath(text) || /^\/(?:proc|sys|dev)\b(?!\/null$)/.test(text)
        ? [asks(`it reads \`${text}\``)]
        : [],
    ),
  ]);
}

function classifyTarget(path: string): Classified {
  if (path === "/dev/null") return { decision: "allow", reason: "it writes nothing" };
  if (/^\/dev\/(?:sd|hd|vd|nvme|mmcblk|mem|kmem)/.test(path))
    return denies("it writes to a device");
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) return denies("it opens a connection of the shell");
  return asks(`it writes to \`${path}\``);
}

/** Commands that run another command, whose words stand behind them. */
const WRAPPERS = new Set(
  "sudo doas env nohup nice ionice time timeout setsid stdbuf command exec builtin xargs chroot busybox".split(
    " ",
  ),
);

const SHELLS = new Set("sh bash dash zsh ksh ash fish".split(" "));

function classifyWords(words: readonly string[], depth: number): Classified {
  const [name = "", ...args] = words;
  const base = name.split("/").at(-1) ?? name;
  if (words.length === 0) return asks("it runs no command");
  if (/^\w+\+?=/.test(name))
    return strictest([asks("it sets a variable"), classifyWords(args, depth)]);
  if (WRAPPERS.has(base)) {
    // Which words are options differs: one of the rest is the command.
    const rest = args.map((_, at) => classifyWords(args.slice(at), depth));
    return strictest([asks(`it runs another command by \`${base}\``), ...rest.filter(isDenial)]);
  }
  if (SHELLS.has(base) || base === "eval") {
    const lines =
      base === "eval"
        ? [args.join(" ")]
        : args.filter((_, at) => /^-\w*c$/.test(args[at - 1] ?? ""));
    const inner = lines.map((line) => classifyLine(line, depth + 1)).filter(isDenial);
    return strictest([asks(`it runs another line by \`${base}\``), ...inner]);
  }
  const damage = damageOf(base, args);
  if (damage !== undefined) return denies(damage);
  if (name !== base && !/^\/(?:usr\/)?bin\/\w+$/.test(name))
    return asks(`\`${name}\` is not known`);
  return isReading(base, args)
    ? { decision: "allow", reason: "it only reads" }
    : asks(`\`${[base, ...args].join(" ").slice(0, 80)}\` is not known to only read`);
}

function isDenial({ decision }: Classified): boolean {
  return decision === "deny";
}

// ── what does damage ────────────────────────────────────────────────────────────────────────────

/** Folders without which nothing works, written in one of many ways. */
const WHOLE =
  /^(?:\/+(?:\.\/*)*\**|~\/*\**|\$\{?HOME\}?\/*\**|\/(?:etc|usr|bin|sbin|lib|lib64|boot|var|home|root|dev|opt)\/*\**)$/;

function damageOf(name: string, args: readonly string[]): string | undefined {
  const has = (long: string, short: string) =>
    args.some((arg) => arg === long || (/^-[^-]/.test(arg) && arg.includes(short)));
  const isWhole = args.some((arg) => WHOLE.test(arg.replace(/\/+/g, "/")));
  switch (name) {
    case "rm":
      if (args.includes("--no-preserve-root")) return "it removes the whole system";
      return (has("--recursive", "r") || has("--recursive", "R")) && isWhole
        ? "it removes a whole system folder"
        : undefined;
    case "chmod":
    case "chown":
      return has("--recursive", "R") && isWhole
        ? "it changes the rights of a whole system folder"
        : undefined;
    case "dd":
      return args.some((arg) => /^of=\/dev\/(?!null$)/.test(arg))
        ? "it writes to a device"
        : undefined;
    case "shred":
    case "wipefs":
    case "blkdiscard":
      return args.some((arg) => arg.startsWith("/dev/")) ? "it wipes a device" : undefined;
    case "shutdown":
    case "reboot":
    case "halt":
    case "poweroff":
      return "it turns the machine off";
    case "kill":
      return args.includes("-1") && args.some((arg) => /^-(?:9|KILL|SIGKILL|s)$/.test(arg))
        ? "it ends every process"
        : undefined;
    default:
      return /^mkfs(?:\.\w+)?$/.test(name)
        ? "it makes a file system over what is there"
        : undefined;
  }
}

/** `curl … | sh`: what comes from the network is run unseen. */
function isNetworkRun(commands: readonly SimpleCommand[]): boolean {
  const runners = new Set([...SHELLS, "python", "python3", "node", "perl", "ruby", "php"]);
  return commands.some((command, at) => {
    if (!command.isPiped) return false;
    const before = commands.slice(0, at).flatMap(({ words }) => words.map(baseOf));
    const runs = command.words.map(baseOf).some((word) => runners.has(word));
    return runs && before.some((word) => word === "curl" || word === "wget" || word === "nc");
  });
}

function baseOf({ text }: { readonly text: string }): string {
  return text.split("/").at(-1) ?? text;
}

// ── what only reads ─────────────────────────────────────────────────────────────────────────────

/** Commands that write nothing, with the options by which some of them do, or run something. */
const READING: Readonly<Record<string, RegExp | undefined>> = {
  ...Object.fromEntries(
    "basename cal cat cd cmp cut df dirname du echo false groups head id ls nl pwd readlink realpath seq stat tail test tr true uname wc which whoami ["
      .split(" ")
      .map((name) => [name, undefined]),
  ),
  // Long options may be cut short: `--out`, `--s`.
  date: /^(?:-\w*s|--s)/,
  diff: undefined,
  file: /^(?:-\w*C|--c)/,
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  grep: undefined,
  printf: /^-v/,
  sort: /^(?:-\w*[oT]|--o|--t|--c)/,
};

function isReading(name: string, args: readonly string[]): boolean {
  if (!Object.hasOwn(READING, name)) return false;
  const forbidden = READING[name];
  if (name === "date" && args.some((arg) => /^\d/.test(arg))) return false;
  return forbidden === undefined || !args.some((arg) => forbidden.test(arg));
}

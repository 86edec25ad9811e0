/** Decides whether a call of a tool is made, refused or asked about: one function for calls from every source. */
import type { ApprovalPolicy } from "../../../dsl/index.ts";
import { type Addresses, addressOf, type UrlStatus, urlStatus } from "./addresses.ts";
import { type DirectoryEntry, entryGiving, namedEntries } from "./directories.ts";
import { addressesIn, strangeTargets } from "./trusted-targets.ts";

/** The frequency with which calls of a tool need consent, as its declaration or its effect says. */
export type Baseline = "never" | "maybe" | "always";

/** The verdict of a tool's own classifier on one call. */
export interface Classified {
  readonly decision: "allow" | "ask" | "deny";
  /** A clause that follows "because". */
  readonly reason: string;
}

/** A call as the guard sees it, whoever wants to make it. */
export interface GuardedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly effect: "none" | "workspace" | "external";
  readonly baseline: Baseline;
  /** The opinion of the caller, a model, on whether somebody should be asked. */
  readonly guess?: "never" | "always";
  readonly classified?: Classified;
  /** The arguments that choose where the call goes; absent where the tool does not say. */
  readonly targets?: readonly string[];
  /** The address that every call of the tool goes to. */
  readonly address?: string;
  /** The arguments whose values the tool itself lists: they choose nothing. */
  readonly fixed?: readonly string[];
  /** The records that directories have returned to its caller; absent where there are none. */
  readonly entries?: readonly DirectoryEntry[];
  /** True if its caller has read what came from a tool, or a value that is not trusted. */
  readonly isTainted: boolean;
}

/** The settings of a guard, with the texts that its trusted values come to. */
export interface Guard {
  readonly approve?: ApprovalPolicy;
  readonly judge?: string;
  /** The number of the last messages that a judge reads beside the call. */
  readonly context?: number;
  readonly urls?: Addresses;
  /** The trusted texts; absent where the program says nothing of trust. */
  readonly trusted?: readonly string[];
}

/** The origin of a decision: a rule of the guard, or who answered its question. */
export type DecidedBy =
  | "policy"
  | "baseline"
  | "caller"
  | "classifier"
  | "urls"
  | "trust"
  | "clause"
  | "judge"
  | "person"
  | "remembered"
  | "script"
  | "expiry";

/** The reason for a question: who wants it asked, and what it is about. */
interface AskReason {
  readonly by: DecidedBy;
  readonly reason: string;
  /** The key under which an answer holds for later calls, where that is narrower than the tool. */
  readonly about?: string;
}

/** The decision of the guard's rules on a call. */
export type Ruling =
  | { readonly may: "call" | "refuse"; readonly by: DecidedBy; readonly reason: string }
  | {
      readonly may: "ask";
      readonly by: DecidedBy;
      readonly reason: string;
      /** True if a judge may say yes in place of a person, and the one that the policy names. */
      readonly isJudged: boolean;
      readonly judge?: string;
      /** Set where an answer holds for something else than for the tool. */
      readonly about?: string;
      /** True if the answer holds for the rest of the run unless it says otherwise. */
      readonly isKept: boolean;
    };

/**
 * Rules on one call. What refuses comes first, then every reason to ask; a call without a reason to ask is made. `isAsked`
 * says that a clause `approve tool` of the node wants it asked.
 */
export function decideCall(call: GuardedCall, guard: Guard, isAsked: boolean): Ruling {
  const { classified } = call;
  if (classified?.decision === "deny")
    return { may: "refuse", by: "classifier", reason: classified.reason };
  const urls = urlsOf(call, guard.urls);
  const blocked = urls.find(({ status }) => status === "blocked");
  if (blocked !== undefined)
    return { may: "refuse", by: "urls", reason: `${blocked.address} is blocked by \`guard.urls\`` };
  const byPolicy = policyRuling(call, guard);
  const { strangers, known } = heldTargets(call, guard);
  const reasons: readonly AskReason[] = [
    ...(isAsked ? [{ by: "clause", reason: "the node asks for consent" } as const] : []),
    ...(byPolicy.may === "ask" ? [byPolicy] : []),
    ...strangers,
    ...unknownHosts(urls),
  ];
  const [first] = reasons;
  if (first === undefined) {
    const { by, reason } = byPolicy;
    if (known.length === 0) return { may: "call", by, reason };
    return { may: "call", by: "trust", reason: [...new Set(known.map(knownReason))].join("; ") };
  }
  const narrow = reasons.flatMap(({ about }) => about ?? []);
  const isOfTool = reasons.some(({ about }) => about === undefined);
  const { judge } = byPolicy;
  const isJudged = reasons.every(
    ({ by }) => by === "clause" || (by === "policy" && judge !== undefined),
  );
  return {
    may: "ask",
    by: first.by,
    reason: reasons.map(({ reason }) => reason).join("; "),
    isJudged,
    ...(judge === undefined ? {} : { judge }),
    ...(narrow.length === 0
      ? {}
      : { about: [...(isOfTool ? [call.tool] : []), ...new Set(narrow)].join(" ") }),
    isKept: reasons.every(({ by }) => by === "urls"),
  };
}

// ── the policy: how often the tool needs consent, what the caller thinks, whether there is a judge ──

interface PolicyRuling extends AskReason {
  readonly may: "call" | "ask";
  readonly judge?: string;
}

function policyRuling(call: GuardedCall, { approve, judge, trusted }: Guard): PolicyRuling {
  const { classified, guess, isTainted } = call;
  const baseline = classifiedBaseline(call);
  const why =
    classified?.decision === "ask" ? classified.reason : `its baseline is \`${baseline}\``;
  switch (approve) {
    case undefined:
      return { may: "call", by: "policy", reason: "nothing asks for consent" };
    case "never":
      return { may: "call", by: "policy", reason: "the policy is `never`" };
    case "always":
      return { may: "ask", by: "policy", reason: "the policy is `always`" };
    default:
  }
  if (baseline === "never") return { may: "call", by: "baseline", reason: why };
  if (baseline === "always") return { may: "ask", by: "baseline", reason: why };
  if (approve === "conservative") {
    const reason = `the policy is \`conservative\`, and ${why}`;
    return { may: "ask", by: "policy", reason, ...(judge === undefined ? {} : { judge }) };
  }
  // A text from the web, a file or a tool may have made the caller say so.
  if (guess === "never" && trusted !== undefined && isTainted)
    return { may: "ask", by: "trust", reason: "its caller has read what is not trusted" };
  if (guess === "never") return { may: "call", by: "caller", reason: "its caller asks for nobody" };
  const reason = guess === "always" ? "its caller wants it asked" : "its caller does not say";
  return { may: "ask", by: "caller", reason };
}

function classifiedBaseline({ baseline, classified }: GuardedCall): Baseline {
  if (classified === undefined) return baseline;
  return classified.decision === "allow" ? "never" : "always";
}

// ── where the call goes ─────────────────────────────────────────────────────────────────────────

interface UrlOfCall {
  readonly address: string;
  readonly host: string;
  readonly status: UrlStatus;
}

function urlsOf(call: GuardedCall, addresses: Addresses | undefined): readonly UrlOfCall[] {
  if (addresses === undefined) return [];
  const { address: text = "" } = call;
  const own = addressOf(text);
  const fixed =
    own === undefined ? [] : [{ address: text, host: own.host, status: urlStatus(own, addresses) }];
  // A tool that writes a file may write an address into it.
  const isChecked = call.effect === "external" || call.targets !== undefined;
  if (!isChecked) return fixed;
  const written = textsIn(call).flatMap(({ text, isTarget }) => {
    const address = addressOf(text, isTarget && call.targets !== undefined);
    if (address === undefined || (call.effect !== "external" && !isTarget)) return [];
    return [{ address: text, host: address.host, status: urlStatus(address, addresses) }];
  });
  return [...fixed, ...written];
}

function unknownHosts(urls: readonly UrlOfCall[]): readonly AskReason[] {
  const hosts = new Set(urls.flatMap(({ status, host }) => (status === "unknown" ? [host] : [])));
  return [...hosts].map((host) => ({
    by: "urls",
    reason: `\`${host}\` is no address of \`guard.urls\``,
    about: `host ${host}`,
  }));
}

/** The targets of a call that no trusted value names, and the records by which trusted values name others. */
interface HeldTargets {
  readonly strangers: readonly AskReason[];
  readonly known: readonly DirectoryEntry[];
}

function heldTargets(call: GuardedCall, { trusted }: Guard): HeldTargets {
  if (trusted === undefined || call.effect !== "external") return { strangers: [], known: [] };
  const { tool, entries = [] } = call;
  const named = namedEntries(entries, trusted, tool);
  const known: DirectoryEntry[] = [];
  const isKnown = (argument: string | undefined, text: string) => {
    const entry = entryGiving(named, argument, text);
    if (entry !== undefined) known.push(entry);
    return entry !== undefined;
  };
  const targets = textsIn(call).flatMap(({ argument, text, isTarget, isFixed }) => {
    if (!isTarget) return isFixed ? [] : addressesIn(text);
    const isStrange = strangeTargets([text], trusted).length > 0;
    return isStrange && !isKnown(argument, text) ? [text] : [];
  });
  const strangers = strangeTargets(targets, trusted).map(
    (target): AskReason => ({
      by: "trust",
      reason: `no trusted value names \`${target}\``,
      about: `target ${target}`,
    }),
  );
  return { strangers, known };
}

function knownReason({ tool, name, argument }: DirectoryEntry): string {
  return `\`${tool}\` has the record \`${name}\` for \`${argument}\`, which a trusted value names`;
}

interface ArgumentText {
  /** The argument that it stands in; absent where the arguments are no object. */
  readonly argument?: string;
  readonly text: string;
  readonly isTarget: boolean;
  /** The tool's schema lists the value. */
  readonly isFixed: boolean;
}

/** The texts and numbers among the arguments, at any depth; each with whether it may choose where the call goes. */
function textsIn({ args, targets, fixed = [] }: GuardedCall): readonly ArgumentText[] {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return leavesOf(args).map((text) => ({ text, isTarget: true, isFixed: false }));
  return Object.entries(args).flatMap(([name, value]) => {
    const isFixed = fixed.includes(name);
    const isTarget = targets === undefined ? !isFixed : targets.includes(name);
    return leavesOf(value).map((text) => ({ argument: name, text, isTarget, isFixed }));
  });
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  // Names of members are the tool's own, unless they are addresses: then they may choose as well.
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, one]) => [
      ...(/[@./:]/.test(name) ? [name] : []),
      ...leavesOf(one),
    ]);
  return [];
}

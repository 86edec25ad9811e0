/** Asks interceptors one after the other, each about what the one before has left, and checks their replies. */
import type { Cancellation } from "../cancellation.ts";
import { type Failure, FailureError, messageOf, stackOf } from "../failure.ts";
import { isSecretName, marker } from "../redaction/secret-forms.ts";
import { freezeJson } from "../state/json.ts";
import { notJsonIn } from "../state/not-json.ts";
import { type CallMembers, changedBy, type Interception, replacementsOf } from "./interception.ts";
import { type Hook, type Interceptor, REPLY_MEMBERS } from "./interceptor.ts";

/** The call as interceptors left it. */
export interface Intercepted {
  /** The members that are otherwise. */
  readonly changed: CallMembers;
  /** For the log. */
  readonly made: readonly Interception[];
  /** A veto, or an interceptor that did not work. */
  readonly failure?: Failure;
}

/** A question to interceptors. */
export interface InterceptorQuestion {
  readonly hook: Hook;
  /** The place, for errors: `before the call of mail.send`. */
  readonly what: string;
  /** Facts that no reply changes. */
  readonly facts: CallMembers;
  /** The members that a reply may change, as they are. */
  readonly seen: CallMembers;
  /** It has failed: nothing of it can be changed. */
  readonly isOver?: boolean;
}

/** In their order; what comes after a call is asked in the reverse order, so that the first one stands around all others. */
export function inOrder(list: readonly Interceptor[], hook: Hook): readonly Interceptor[] {
  const asked = list.filter((one) => one[hook] !== undefined);
  return hook.startsWith("after") ? asked.reverse() : asked;
}

/** Asks all of them; a promise is awaited until the attempt is cancelled. */
export async function askInterceptors(
  list: readonly Interceptor[],
  asked: InterceptorQuestion,
  cancellation: Cancellation,
): Promise<Intercepted> {
  const asking = new AskedInterceptors(asked);
  for (const one of inOrder(list, asked.hook)) {
    try {
      asking.take(one, await untilCancelled(() => asking.call(one), cancellation));
    } catch (thrown) {
      if (cancellation.isCancelled) throw thrown;
      return asking.failed(one, thrown);
    }
  }
  return asking.result();
}

/** The same for what can't wait: a promise is a reply of the wrong form. */
export function askAtOnce(list: readonly Interceptor[], asked: InterceptorQuestion): Intercepted {
  const asking = new AskedInterceptors(asked);
  for (const one of inOrder(list, asked.hook)) {
    try {
      asking.take(one, asking.call(one));
    } catch (thrown) {
      return asking.failed(one, thrown);
    }
  }
  return asking.result();
}

class AskedInterceptors {
  readonly #asked: InterceptorQuestion;
  #changed: CallMembers = {};
  #made: readonly Interception[] = [];

  constructor(asked: InterceptorQuestion) {
    this.#asked = asked;
  }

  call(one: Interceptor): unknown {
    const { hook, facts, seen } = this.#asked;
    const view = freezeJson(structuredClone({ ...facts, ...seen, ...this.#changed }));
    return (one[hook] as (view: unknown) => unknown).call(one, view);
  }

  /** Throws where the reply has not the form, or is a veto. */
  take(one: Interceptor, reply: unknown): void {
    if (reply === undefined) return;
    const { hook, seen } = this.#asked;
    const when = hook.startsWith("before") ? "before" : "after";
    const by = one.name;
    const members = this.#read(one, reply);
    if (typeof members.veto === "string") {
      this.#made = [...this.#made, { by, when, reason: members.veto }];
      throw new FailureError(vetoed(by, members.veto, this.#asked.what));
    }
    const now = { ...seen, ...this.#changed };
    const value = replacementsOf(now, { ...members, ...merged(now, members) });
    if (value === undefined) return;
    const made: Interception = { by, when, value };
    this.#changed = { ...this.#changed, ...changedBy(now, [made]) };
    this.#made = [...this.#made, withoutSecrets(made)];
  }

  failed(one: Interceptor, thrown: unknown): Intercepted {
    const failure =
      thrown instanceof FailureError ? thrown.failure : threw(one.name, this.#asked.what, thrown);
    return { ...this.result(), failure };
  }

  result(): Intercepted {
    return { changed: this.#changed, made: this.#made };
  }

  #read(one: Interceptor, reply: unknown): CallMembers {
    const { hook, what, isOver = false } = this.#asked;
    const wrong = (found: string) => new FailureError(misformed(one.name, what, { hook, found }));
    if (typeof reply !== "object" || reply === null || Array.isArray(reply))
      throw wrong(reply === null ? "null" : Array.isArray(reply) ? "a list" : `a ${typeof reply}`);
    if ("then" in reply) throw wrong("a promise, and it has to answer at once");
    const members = Object.entries(reply).filter(([, value]) => value !== undefined);
    const allowed: readonly string[] = isOver ? [] : [...REPLY_MEMBERS[hook], "veto"];
    const other = members.find(([name]) => !allowed.includes(name));
    if (other !== undefined)
      throw wrong(isOver ? `\`${other[0]}\` of what has failed` : `the member \`${other[0]}\``);
    for (const [name, value] of members) {
      const misfit = notJsonIn(value);
      if (misfit !== undefined)
        throw wrong(`${misfit.found} at \`${[name, misfit.path].filter(Boolean).join(".")}\``);
      const form = FORMS[name];
      if (form !== undefined && !form.fits(value)) throw wrong(`\`${name}\` that is no ${form.is}`);
    }
    return Object.fromEntries(members);
  }
}

interface MemberForm {
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
}

const isObject = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const TEXT: MemberForm = { is: "text", fits: (value) => typeof value === "string" };
const OBJECT: MemberForm = { is: "object", fits: isObject };
const TEXTS: MemberForm = {
  is: "object of texts",
  fits: (value) =>
    isObject(value) && Object.values(value as object).every((one) => typeof one === "string"),
};
const OBJECTS: MemberForm = {
  is: "list of objects",
  fits: (value) => Array.isArray(value) && value.every(isObject),
};

/** The forms of members; arguments of tools, results and outputs are checked where they are used. */
const FORMS: Readonly<Record<string, MemberForm>> = {
  veto: TEXT,
  messages: OBJECTS,
  settings: OBJECT,
  headers: TEXTS,
  text: TEXT,
  toolCalls: OBJECTS,
  system: TEXT,
  prompt: TEXT,
  input: OBJECT,
};

/** Settings and headers are added to those that there are. */
function merged(now: CallMembers, reply: CallMembers): CallMembers {
  const both = ["settings", "headers"].flatMap((name) =>
    reply[name] === undefined
      ? []
      : [[name, { ...(now[name] as object), ...(reply[name] as object) }] as const],
  );
  return Object.fromEntries(both);
}

/** Headers that have the name of a secret are not stored. */
function withoutSecrets(made: Interception): Interception {
  const { headers } = made.value ?? {};
  if (headers === undefined) return made;
  const hidden = { ...headers, after: hiddenIn(headers.after), before: hiddenIn(headers.before) };
  return { ...made, value: { ...made.value, headers: hidden } };
}

function hiddenIn(headers: unknown): unknown {
  const all = Object.entries((headers ?? {}) as Readonly<Record<string, string>>);
  return Object.fromEntries(
    all.map(([name, value]) => [name, isSecretName(name) ? marker(name) : value]),
  );
}

/** Returns the result of work that may be a promise; rejects as soon as the attempt is cancelled. */
function untilCancelled(work: () => unknown, cancellation: Cancellation): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const takeBack = cancellation.onCancel(() => reject(new Error("cancelled")));
    new Promise((begun) => begun(work())).then(resolve, reject).finally(takeBack);
  });
}

/** The failure of what an interceptor forbade. */
export function vetoed(by: string, reason: string, what: string): Failure {
  return {
    class: "denied",
    code: "M8170",
    message: `\`${by}\` forbids it ${what}: ${reason}`,
    hint: "an arrow `on deny` says where the graph goes on",
  };
}

function threw(by: string, what: string, thrown: unknown): Failure {
  return {
    class: "tool",
    code: "M8171",
    message: `the interceptor \`${by}\` threw ${what}: ${messageOf(thrown)}`,
    hint: `mend \`${by}\`, or take it away: nothing is done that it was to be asked about`,
    ...stackOf(thrown),
  };
}

function misformed(
  by: string,
  what: string,
  { hook, found }: { readonly hook: Hook; readonly found: string },
): Failure {
  const members = REPLY_MEMBERS[hook].map((name) => `\`${name}\``).join(", ");
  return {
    class: "tool",
    code: "M8172",
    message: `the interceptor \`${by}\` returned ${found} ${what}`,
    hint: `\`${hook}\` returns nothing, an object with ${members}, or \`{ veto: "why" }\`, as JSON`,
  };
}

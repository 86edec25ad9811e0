/** Tells addresses that clients give what happens in their tasks. Only public addresses are called, and those that the environment declares. */
import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { messageOf, type Run, remote } from "../../runtime/index.ts";
import { updatesOf } from "./run-updates.ts";
import type { Sdk } from "./sdk.ts";
import { isEnded } from "./task-of-run.ts";

const TIMEOUT_MS = 10_000;
const ANSWER_MAX = 64 * 1024;

/** So many addresses a task may have. */
const CONFIGS_MAX = 10;

/** So many updates wait for an address. */
const QUEUE_MAX = 64;

/** They live as long as the server: a client of a new one says again where it wants to be told. */
export class PushNotices {
  readonly #sdk: Sdk;
  readonly #tell: (line: string) => void;
  readonly #configs = new Map<string, TaskPushNotificationConfig[]>();
  readonly #watched = new Set<string>();
  /** The updates that an address has not heard yet, while it is told of one. */
  readonly #queues = new Map<string, remote.WireEvent[]>();

  constructor(sdk: Sdk, tell: (line: string) => void) {
    this.#sdk = sdk;
    this.#tell = tell;
  }

  of({ id }: Run): readonly TaskPushNotificationConfig[] {
    return this.#configs.get(id) ?? [];
  }

  /** Throws for an address that may not be called. */
  add(run: Run, config: TaskPushNotificationConfig): TaskPushNotificationConfig {
    assertCallable(config.url, this.#sdk);
    const known = this.of(run);
    const own = { ...config, taskId: run.id, id: config.id || `push-${known.length + 1}` };
    const others = known.filter(({ id }) => id !== own.id);
    if (others.length >= CONFIGS_MAX)
      throw new this.#sdk.RequestMalformedError(`a task has at most ${CONFIGS_MAX} addresses`);
    this.#configs.set(run.id, [...others, own]);
    this.watch(run);
    return own;
  }

  remove(run: Run, id: string): void {
    this.#configs.set(
      run.id,
      this.of(run).filter((one) => one.id !== id),
    );
  }

  /** Follows a run for those who asked for it, until it stands still. */
  watch(run: Run): void {
    if (this.of(run).length === 0 || this.#watched.has(run.id) || isEnded(run)) return;
    this.#watched.add(run.id);
    void this.#follow(run).finally(() => this.#watched.delete(run.id));
  }

  async #follow(run: Run): Promise<void> {
    for await (const event of updatesOf(run))
      for (const config of this.of(run)) this.#queue(event, config);
  }

  /** Each address hears the updates in their order, and waits for no other; of one that is too slow, news of work under way are left out. */
  #queue(event: remote.WireEvent, config: TaskPushNotificationConfig): void {
    const key = `${config.taskId} ${config.id}`;
    const queued = this.#queues.get(key);
    if (queued !== undefined) {
      const at = queued.length < QUEUE_MAX ? -1 : queued.findIndex(isProgress);
      if (at !== -1) queued.splice(at, 1);
      queued.push(event);
      return;
    }
    const queue = [event];
    this.#queues.set(key, queue);
    void this.#empty(queue, config, key);
  }

  /** Forgets the queue in the turn in which it finds it empty, so that no update is put into one that nobody empties. */
  async #empty(
    queue: remote.WireEvent[],
    config: TaskPushNotificationConfig,
    key: string,
  ): Promise<void> {
    const { taskId, id } = config;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      // It may be another address meanwhile, or none.
      const current = this.#configs.get(taskId)?.find((one) => one.id === id);
      if (current !== undefined) await this.#send(next, current);
    }
    this.#queues.delete(key);
  }

  async #send(event: remote.WireEvent, config: TaskPushNotificationConfig): Promise<void> {
    const { url, token, authentication } = config;
    const { scheme = "", credentials = "" } = authentication ?? {};
    try {
      const answer = await remote.requestGuarded(new URL(url), {
        privateHosts: remote.declaredHosts(),
        signal: new AbortController().signal,
        timeoutMs: TIMEOUT_MS,
        bytesMax: ANSWER_MAX,
        json: event,
        headers: {
          ...(token === "" ? {} : { "x-a2a-notification-token": token }),
          ...(credentials === "" ? {} : { authorization: `${scheme} ${credentials}` }),
        },
      });
      if (answer.status >= 300)
        this.#tell(`madrigal serve: ${withoutQuery(url)} answers with ${answer.status}`);
    } catch (thrown) {
      this.#tell(`madrigal serve: ${messageOf(thrown).replaceAll(url, withoutQuery(url))}`);
    }
  }
}

function isProgress({ statusUpdate }: remote.WireEvent): boolean {
  return statusUpdate?.status?.state === "TASK_STATE_WORKING";
}

/** An address without what may open a door: it is told on stderr. */
function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

function assertCallable(address: string, { RequestMalformedError }: Sdk): void {
  const fault = callFault(address);
  if (fault !== undefined)
    throw new RequestMalformedError(`the address of notices can't be called: ${fault}`);
}

function callFault(address: string): string | undefined {
  try {
    const url = new URL(address);
    remote.assertWebUrl(url);
    if (!remote.isDeclaredHost(url, remote.declaredHosts())) remote.assertPublicHost(url);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

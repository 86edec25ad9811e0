/** The floor of one workload: plain RxJS and Immer, which keep, order and check nothing: `node floor.ts WORKLOAD STORE FOLDER`. */
import { produce } from "immer";
import { defer, EMPTY, expand, from, last, lastValueFrom, map, mergeMap, of, toArray } from "rxjs";
import { serveSide, sideArguments } from "./side.ts";
import { reactTexts, WIDE_TEXT, workload } from "./workloads.ts";

/** One step: what the node gives, and how it changes the state. */
interface Step<S> {
  readonly node: (state: S) => unknown;
  readonly write: (draft: S, output: never) => void;
}

/** The state behind a step; the node may answer later, as nodes may everywhere. */
function after<S>(state: S, { node, write }: Step<S>) {
  return defer(async () => node(state)).pipe(
    map((output) => produce(state, (draft) => write(draft as S, output as never))),
  );
}

/** One step after the other, as long as `next` gives one. */
function steps<S>(begin: S, next: (state: S, at: number) => Step<S> | undefined): Promise<S> {
  const states$ = of({ state: begin, at: 0 }).pipe(
    expand(({ state, at }) => {
      const step = next(state, at);
      if (step === undefined) return EMPTY;
      return after(state, step).pipe(map((changed) => ({ state: changed, at: at + 1 })));
    }),
    last(),
    map(({ state }) => state),
  );
  return lastValueFrom(states$);
}

const kinds: Readonly<Record<string, (size: number) => () => Promise<unknown>>> = {
  chain: (length) => () => {
    const step: Step<{ x: number }> = {
      node: ({ x }) => x + 1,
      write: (draft, x) => {
        draft.x = x;
      },
    };
    return steps({ x: 0 }, (_, at) => (at < length ? step : undefined));
  },
  // The results are written at once, in the order of the items: a list that grows by each is copied for each.
  "fan-out": (count) => () => {
    const items = Array.from({ length: count }, (_, index) => index);
    const results$ = from(items).pipe(
      mergeMap((item, index) => defer(async () => ({ index, result: item * 2 }))),
      toArray(),
      map((found) => found.sort((a, b) => a.index - b.index).map(({ result }) => result)),
      map((results) =>
        produce({ results: [] as number[] }, (draft) => void draft.results.push(...results)),
      ),
    );
    return lastValueFrom(results$);
  },
  loop: (times) => () => {
    const step: Step<{ values: number[] }> = {
      node: ({ values }) => values.length,
      write: (draft, value) => {
        draft.values.push(value);
      },
    };
    return steps({ values: [] as number[] }, ({ values }) =>
      values.length < times ? step : undefined,
    );
  },
  wide: (size) => wide(size),
  react: (calls) => () => {
    const { query, found, answer } = reactTexts;
    const model: Step<Talk> = {
      node: ({ messages }) => (messages.length > 2 * calls ? answer : { query }),
      write: (draft, said) => {
        draft.messages.push(said);
      },
    };
    const tool: Step<Talk> = {
      node: ({ messages }) => found((messages.at(-1) as { query: string }).query),
      write: model.write,
    };
    const talk = steps<Talk>({ messages: ["what?"] }, ({ messages }, at) => {
      if (messages.at(-1) === answer) return undefined;
      return at % 2 === 0 ? model : tool;
    });
    return talk.then(({ messages }) => ({ answer: messages.at(-1) }));
  },
};

interface Talk {
  readonly messages: unknown[];
}

function wide(size: number): () => Promise<unknown> {
  type Fields = Record<string, unknown> &
    Record<"messages" | "events" | "sorted" | "responses", unknown[]>;
  const text = WIDE_TEXT;
  const round: readonly Step<Fields>[] = [
    {
      node: ({ messages }) => messages,
      write: (draft, list: unknown[]) => {
        draft.events.push(...list);
        draft.medium = text;
      },
    },
    {
      node: ({ events }) => events.at(-1),
      write: (draft, one) => Object.assign(draft, { autoresponse: one, issue: text }),
    },
    {
      node: ({ autoresponse }) => autoresponse,
      write: (draft, one) => Object.assign(draft, { rules: one }),
    },
    {
      node: ({ events }) => events,
      write: (draft, list: unknown[]) => {
        draft.sorted.push(...list);
        draft.responses.push(...list);
        draft.documents = text;
      },
    },
    {
      node: ({ sorted }) => sorted.at(-1),
      write: (draft, one) =>
        Object.assign(draft, {
          ...{ subject: one, product: one, region: text },
          ...{ urgency: text, summary: text, closing: text },
        }),
    },
    {
      node: ({ responses }) => responses,
      write: (draft, list: unknown[]) => {
        draft.messages.push(...list);
      },
    },
  ];
  const { first } = workload("wide 1").input;
  return async () => {
    const begin: Fields = { messages: [first], events: [], sorted: [], responses: [] };
    const { messages, responses } = await steps(begin, (state, at) => {
      const isOver = at > 0 && at % round.length === 0 && state.messages.length > size;
      return isOver ? undefined : round[at % round.length];
    });
    return { messages, responses };
  };
}

const { workload: name } = sideArguments();
const [kind = "", size = ""] = name.split(" ");
const run = kinds[kind]?.(Number(size.split("x").at(-1)));
if (run === undefined) throw new Error(`there is no workload ${kind}`);
await serveSide(run);

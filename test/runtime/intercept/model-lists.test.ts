/** Interceptors of model calls together with lists of models and limits of cost. */
import { afterEach, describe, expect, test } from "vitest";
import {
  type Interceptor,
  type RunEvent,
  type RunOptions,
  Session,
} from "../../../runtime/index.ts";
import { refusingModel, sayingModel } from "../../support/providers/plain-models.ts";

const graph = (limit = "") => `model m = "scripted"
graph Ask(question: string) returns answer {
  state { answer: string }
  agent answer_it { model m; prompt \`Answer: \${question}\`; writes answer }
  ${limit}
  start -> answer_it -> end
}`;

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function start(text: string, options: RunOptions) {
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const [made] = Object.values(session.compile(text));
  if (made === undefined) throw new Error("no graph");
  const run = made.run({ question: "?" }, options);
  const events: RunEvent[] = [];
  run.events$.subscribe((event) => void events.push(event));
  return { run, events };
}

describe("a list of models", () => {
  test("interceptors see each model's call, what came of it, and that of the next one", async () => {
    const seen: string[] = [];
    const tap: Interceptor = {
      name: "tap",
      beforeModel: ({ model, messages }) => void seen.push(`${model} ${messages.length}`),
      afterModel: ({ model, text, failure }) => void seen.push(`${model} ${text ?? failure?.code}`),
    };
    const { run } = start(graph(), {
      models: { m: [refusingModel("one"), sayingModel("two", "said")] },
      intercept: [tap],
    });
    expect(await run.output).toEqual({ answer: "said" });
    expect(seen).toEqual(["mine/one 2", "mine/one M8104", "mine/two 2", "mine/two said"]);
  });

  test("what is changed for one model is not changed for the next; the log has each model's own", async () => {
    const asked: string[] = [];
    const { run, events } = start(graph(), {
      models: {
        m: [
          refusingModel("one"),
          sayingModel("two", ({ prompt, temperature }) => {
            asked.push(`${JSON.stringify(prompt).includes("for one alone")} ${temperature}`);
            return "said";
          }),
        ],
      },
      intercept: [
        {
          name: "by-model",
          beforeModel: ({ model, messages }) =>
            model === "mine/one"
              ? { messages: [...messages, { role: "system", content: "for one alone" }] }
              : { settings: { temperature: 0.5 } },
        },
      ],
    });
    await run.output;
    expect(asked).toEqual(["false 0.5"]);
    const changed = events.flatMap((event) =>
      event.kind === "intercepted" ? [[event.name, Object.keys(event.changes ?? {})]] : [],
    );
    expect(changed).toEqual([
      ["mine/one", ["messages"]],
      ["mine/two", ["settings"]],
    ]);
    expect(run.replay()).toMatchObject({ ok: true });
  });

  test("a veto is no failure of the model: the next one is not asked", async () => {
    const asked: string[] = [];
    const { run } = start(graph(), {
      models: { m: [refusingModel("one"), sayingModel("two", () => `${asked.push("two")}`)] },
      intercept: [{ name: "guard", beforeModel: () => ({ veto: "no models today" }) }],
    });
    await expect(run.output).rejects.toMatchObject({ code: "M8170" });
    expect(asked).toEqual([]);
  });

  test("a veto of one model's answer ends the node, too", async () => {
    const { run } = start(graph(), {
      models: { m: [sayingModel("one", "rude"), sayingModel("two", "polite")] },
      intercept: [
        {
          name: "polite",
          afterModel: ({ text }) => (text === "rude" ? { veto: "rude" } : undefined),
        },
      ],
    });
    await expect(run.output).rejects.toMatchObject({ code: "M8170" });
  });
});

describe("`limit $` counts the call as interceptors leave it", () => {
  const prices = { "mine/one": { input: 100, output: 1_000 } };

  test("messages that are added are part of the estimate", async () => {
    const padding = "x".repeat(40_000);
    const { run } = start(graph("limit $0.5"), {
      models: { m: sayingModel("one", "said") },
      prices,
      intercept: [
        {
          name: "padding",
          beforeModel: ({ messages }) => ({
            messages: [...messages, { role: "user", content: [{ type: "text", text: padding }] }],
          }),
        },
      ],
    });
    await expect(run.output).rejects.toMatchObject({ code: "M5010", message: /takes about \$1/ });
    expect(run.usage.modelCalls).toBe(0);
  });

  test("messages that are taken away are not, and a lower `maxOutputTokens` counts", async () => {
    const long = "x".repeat(40_000);
    const session = new Session({ store: "memory", env: {} });
    sessions.push(session);
    const [made] = Object.values(
      session.compile(
        graph("limit $0.5").replace('"scripted"', '"scripted" { maxOutputTokens: 100000 }'),
      ),
    );
    const run = made?.run(
      { question: long },
      {
        models: { m: sayingModel("one", "said") },
        prices,
        intercept: [
          {
            name: "short",
            beforeModel: () => ({
              messages: [{ role: "user", content: [{ type: "text", text: "Short?" }] }],
              settings: { maxOutputTokens: 100 },
            }),
          },
        ],
      },
    );
    expect(await run?.output).toEqual({ answer: "said" });
  });

  test("each model of a list by its own price: what the first one may not, the second may", async () => {
    const { run } = start(graph("limit $0.5"), {
      models: { m: [refusingModel("one"), sayingModel("two", "said")] },
      prices: { "mine/one": { input: 1, output: 1 }, "mine/two": { input: 100_000, output: 1 } },
      intercept: [{ name: "tap", beforeModel: () => {} }],
    });
    await expect(run.output).rejects.toMatchObject({
      code: "M5010",
      message: /the next call of `mine\/two`/,
    });
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { Session, scripted } from "../../../../runtime/index.ts";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { createRedactor, redactForTrace, secretsOf } from "../../../../runtime/redaction/redact.ts";
import { noUsage } from "../../../../runtime/usage.ts";
import { temporaryFolder } from "../fixtures.ts";
import { record } from "../runs.ts";

const known = createRedactor([
  { name: "SEARCH_KEY", value: "tomato-1234" },
  { name: "LONGER", value: "tomato-1234-56" },
  { name: "QUOTED", value: 'p"ss w/rd' },
  { name: "WORD", value: "search" },
  { name: "TINY", value: "abc" },
]);

test("a known secret is a marker wherever it stands in a text", () => {
  expect(known.redactText("key=tomato-1234, other=tomato-1234-56.")).toBe(
    "key=⟦secret:SEARCH_KEY⟧, other=⟦secret:LONGER⟧.",
  );
});

test("a known secret is found in JSON and in a URL too", () => {
  expect(known.redactText(JSON.stringify({ password: 'p"ss w/rd' }))).toBe(
    '{"password":"⟦secret:QUOTED⟧"}',
  );
  expect(known.redactText("?p=p%22ss%20w%2Frd&x=1")).toBe("?p=⟦secret:QUOTED⟧&x=1");
});

test("a value that is hardly a secret is left alone", () => {
  expect(known.redactText("abc")).toBe("abc");
});

test("a record's payload is redacted, its names, keys and paths are not", () => {
  const commit: LogRecord = {
    seq: 1,
    at: 1,
    kind: "commit",
    step: 1,
    id: 1,
    node: "search",
    attempt: 1,
    output: { found: ["tomato-1234"] },
    usage: noUsage,
    writes: [{ field: "search", value: "my tomato-1234" }],
    ownWrites: 1,
    patches: [{ op: "add", path: ["search", "search"], value: { search: "tomato-1234" } }],
    flow: [],
  };
  expect(known.redactRecord(commit)).toEqual({
    ...commit,
    output: { found: ["⟦secret:SEARCH_KEY⟧"] },
    writes: [{ field: "search", value: "my ⟦secret:SEARCH_KEY⟧" }],
    patches: [{ op: "add", path: ["search", "search"], value: { search: "⟦secret:SEARCH_KEY⟧" } }],
  });
});

test("a failure's text is redacted", () => {
  const failure = { class: "tool", code: "M9000", message: "401 for tomato-1234" } as const;
  const { value: _value, ...rest } = { ...record(0), value: undefined };
  expect(known.redactRecord({ ...rest, failure } as LogRecord)).toMatchObject({
    failure: { class: "tool", code: "M9000", message: "401 for ⟦secret:SEARCH_KEY⟧" },
    node: "search",
  });
});

test("a record without a secret is itself", () => {
  const plain = record(0, { list: [1, null, true, { text: "nothing" }] });
  expect(known.redactRecord(plain)).toBe(plain);
});

test("traces also hide what has the name of a secret", () => {
  const shown = redactForTrace({
    api_key: "1",
    apiKey: "2",
    "x-api-key": "3",
    Authorization: "4",
    refresh_token: "5",
    clientSecret: "6",
    nested: [{ password: "7", token: "8" }],
    key: "a",
    tokens: "b",
    inputTokens: 12,
    token_count: "c",
    secretary: "d",
    password_hint: "e",
  });
  expect(shown).toEqual({
    api_key: { $secret: "api_key" },
    apiKey: { $secret: "apiKey" },
    "x-api-key": { $secret: "x-api-key" },
    Authorization: { $secret: "Authorization" },
    refresh_token: { $secret: "refresh_token" },
    clientSecret: { $secret: "clientSecret" },
    nested: [{ password: { $secret: "password" }, token: { $secret: "token" } }],
    key: "a",
    tokens: "b",
    inputTokens: 12,
    token_count: "c",
    secretary: "d",
    password_hint: "e",
  });
});

test("traces also hide what has the form of a token", () => {
  const openAi = `sk-${"a1B2".repeat(8)}`;
  expect(
    redactForTrace([`use ${openAi}!`, "Bearer 0123456789abcdef01", "ask-me-anything"]),
  ).toEqual(["use ⟦secret:token⟧!", "Bearer ⟦secret:token⟧", "ask-me-anything"]);
  expect(known.redactForTrace({ text: "tomato-1234", secret: "x" })).toEqual({
    text: "⟦secret:SEARCH_KEY⟧",
    secret: { $secret: "secret" },
  });
});

test("of the environment only long values with the name of a secret count", () => {
  const names = secretsOf({
    OPENAI_API_KEY: "12345678",
    GITHUB_TOKEN: "12345678",
    DB_PASSWORD: "12345678",
    AWS_SECRET_ACCESS_KEY: "12345678",
    GOOGLE_APPLICATION_CREDENTIALS: "12345678",
    SHORT_TOKEN: "1234567",
    KEYBOARD: "12345678",
    MONKEYS: "12345678",
    TOKENIZERS_PARALLELISM: "12345678",
    HOME: "12345678",
    UNSET_TOKEN: undefined,
  }).map((secret) => secret.name);
  expect(names).toEqual([
    "OPENAI_API_KEY",
    "GITHUB_TOKEN",
    "DB_PASSWORD",
    "AWS_SECRET_ACCESS_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
  ]);
});

test.each([
  [["the key is hunter", "2hunter2 and more"]],
  [["the key is hunter2hunter2 and more"]],
  [[..."the key is hunter2hunter2 and more"]],
])("a secret that is split over pieces is hidden: %j", (pieces) => {
  const { redactPieces } = createRedactor([{ name: "KEY", value: "hunter2hunter2" }]);
  const told: string[] = [];
  const text = redactPieces((piece) => told.push(piece));
  for (const piece of pieces) text.write(piece);
  text.end();
  expect(told.join("")).toBe("the key is ⟦secret:KEY⟧ and more");
});

test("text in pieces comes to what the whole text does, wherever it is cut", () => {
  const { redactText, redactPieces } = createRedactor([
    { name: "A", value: "abab" },
    { name: "B", value: "ababab" },
    { name: "C", value: "babc" },
  ]);
  const text = fc.stringMatching(/^[abc]{0,30}$/);
  fc.assert(
    fc.property(text, fc.array(fc.nat(30)), (whole, cuts) => {
      const told: string[] = [];
      const pieces = redactPieces((piece) => told.push(piece));
      const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b)];
      for (const [index, cut] of at.entries()) pieces.write(whole.slice(cut, at[index + 1]));
      pieces.end();
      expect(told.join("")).toBe(redactText(whole));
    }),
  );
});

test("what a model says is told without known secrets while it says it", async () => {
  const session = new Session({ cwd: temporaryFolder(), env: { DOOR_KEY: "open sesame 99" } });
  const text =
    'model m = "scripted"\ngraph G() returns said { state { said: string } agent say { model m; prompt `?`; writes said } start -> say }';
  const run = session
    .compile(text)
    .G?.run({}, { models: { m: scripted({ say: "It is open sesame 99 , I think." }) } });
  const pieces: string[] = [];
  for await (const event of run?.stream("debug") ?? []) {
    if (event.kind === "model.delta") pieces.push(event.text);
  }
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join("")).toBe("It is ⟦secret:DOOR_KEY⟧ , I think.");
  await session.close();
});

import { expect, test } from "vitest";
import {
  estimateTokens,
  MEDIA_TOKENS,
  tokensOf,
} from "../../../../runtime/agents/conversation/tokens.ts";
import { called, image, user } from "./conversations.ts";

test.each([
  ["", 0],
  ["word", 1],
  ["words", 2],
  ["two words", 3],
  ["1234", 2],
  ["日本語", 6],
  ["한국", 4],
  ["a=b;", 4],
  [" ".repeat(40), 2],
  ["ключ", 2],
])("E69 %j has about %i tokens", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

/** Counted once by `encode` of gpt-tokenizer 4.0.0 in its encoding o200k_base. */
const COUNTED: readonly (readonly [text: string, tokens: number])[] = [
  [
    "The engine writes every decision to a log, so that a run can be stopped, killed and continued without paying for anything twice.",
    26,
  ],
  [
    "Die Maschine schreibt jede Entscheidung in ein Protokoll, damit ein Lauf angehalten und später fortgesetzt werden kann.",
    23,
  ],
  ["引擎把每一个决定写进日志，因此运行可以停止、终止并继续，而无需重复付费。", 25],
  ["エンジンはすべての決定をログに書き込むので、実行を停止して後で続けることができます。", 34],
  ["엔진은 모든 결정을 로그에 기록하므로 실행을 중지했다가 나중에 계속할 수 있습니다.", 25],
  [
    "Движок записывает каждое решение в журнал, поэтому запуск можно остановить и позже продолжить.",
    21,
  ],
  [
    '{"hits":[{"path":"docs/guide.md","line":120,"score":0.8731},{"path":"README.md","line":7,"score":0.51}]}',
    38,
  ],
  ["export function add(a: number, b: number): number {\n    return a + b;\n}\n", 20],
  ["2026-11-24T10:36:00.123Z 192.168.100.254 3.14159265358979 1000000", 35],
  ["done ✅ 🎉🎉 → next", 8],
];

test.each(COUNTED)(
  "E69 of a tokenizer's count, the estimate of %j is 0.9 to 3 times",
  (text, tokens) => {
    const share = estimateTokens(text) / tokens;
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(share).toBeLessThanOrEqual(3);
  },
);

test("messages are counted with what their tools returned, images each as so many tokens", () => {
  const count = (text: string) => text.length;
  expect(tokensOf([user("abc")], count)).toBe(4 + 3);
  const [asked, returned] = called("c1", "seen");
  if (asked === undefined || returned === undefined) throw new Error("no turn");
  expect(tokensOf([asked], count)).toBe(4 + "look".length + '{"at":"c1"}'.length);
  expect(tokensOf([returned], count)).toBe(4 + "look".length + "seen".length);
  const shown = { role: "user" as const, content: [image("a")] };
  expect(tokensOf([shown], count)).toBe(4 + MEDIA_TOKENS);
});

test("a message is counted once, however often it comes again", () => {
  let counts = 0;
  const count = (text: string) => {
    counts += 1;
    return text.length;
  };
  const messages = [user("a"), ...called("c1", "b")];
  const first = tokensOf(messages, count);
  const before = counts;
  expect(tokensOf([...messages], count)).toBe(first);
  expect(counts).toBe(before);
});

import { createHash, randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { redactForTrace } from "../../../../runtime/redaction/redact.ts";

test("law: a random token in a text is hidden, wherever it stands", () => {
  const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];
  const token = fc
    .array(fc.constantFrom(...alphabet), { minLength: 32, maxLength: 64 })
    .map((letters) => letters.join(""));
  let hidden = 0;
  let all = 0;
  fc.assert(
    fc.property(token, fc.string({ maxLength: 20 }), (secret, words) => {
      all += 1;
      if (!JSON.stringify(redactForTrace({ note: `${words} ${secret} ${words}` })).includes(secret))
        hidden += 1;
    }),
    { numRuns: 500, seed: 7 },
  );
  // Chance makes some that look like words; ones of this length hardly ever.
  expect(hidden / all).toBeGreaterThan(0.95);
});

test("ids, hashes, names of code, paths and pictures stay as they are", () => {
  const texts = [
    randomUUID(),
    createHash("sha256").update("x").digest("hex"),
    createHash("sha1").update("x").digest("hex").toUpperCase(),
    `sha512-${createHash("sha512").update("x").digest("base64")}`,
    "call_a1B2c3D4e5F6g7H8i9J0k1L2",
    "toolu_01A09q90qw90lq917835lq9x",
    "chatcmpl-9xYz8A7b6C5d4E3f2G1h0",
    "convertUtf8ToUtf16LittleEndianBuffer2",
    "ACTIVE_CONNECTIONS_MAXIMUM_PER_HOST_2",
    "/usr/lib/node_modules/Typescript5/lib/tsserverlibrary.js",
    "claude-sonnet-4-5-20250929, Qwen2.5-72B-Instruct-GPTQ-Int4",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "The quick brown fox jumps over 13 lazy dogs; see RFC 7231, section 4.3.1.",
    `data:image/png;base64,${randomBytes(3_000).toString("base64")}`,
    "password: required; token = tokenizer(text)",
    "https://example.org:8080/a@b",
  ];
  expect(redactForTrace(texts)).toEqual(texts);
  const named = {
    id: "a1B2c3D4e5F6g7H8i9J0k1L2",
    toolCallId: "a1B2c3D4e5F6g7H8i9J0k1L2",
    content_hash: "a1B2c3D4e5F6g7H8i9J0k1L2",
    name: "plan",
    value: "a value",
  };
  expect(redactForTrace(named)).toEqual(named);
});

test("headers are hidden in all the ways in which they are written", () => {
  const shown = redactForTrace({
    headers: [
      { name: "Authorization", value: "one-secret" },
      { key: "x-api-key", value: "two-secret" },
    ],
    "set-cookie": ["three-secret", "four-secret"],
    raw: "GET / HTTP/1.1\nx-api-key: five5secret\nCookie: a=b",
    url: "postgres://admin:six6secret@db.example.org/x?api_key=seven7secret&y=1",
    pem: "-----BEGIN RSA PRIVATE KEY-----\neight8\n-----END RSA PRIVATE KEY-----",
    basic: "Basic bmluZTpzZWNyZXQxMjM=",
  });
  expect(JSON.stringify(shown)).not.toMatch(/secret(?!:|"| )[^:"]*\d|\w+-secret|eight8|bmluZ/);
  expect(shown).toMatchInlineSnapshot(`
    {
      "basic": "Basic ⟦secret:token⟧",
      "headers": [
        {
          "name": "Authorization",
          "value": {
            "$secret": "Authorization",
          },
        },
        {
          "key": "x-api-key",
          "value": {
            "$secret": "x-api-key",
          },
        },
      ],
      "pem": "⟦secret:token⟧",
      "raw": "GET / HTTP/1.1
    x-api-key: ⟦secret:token⟧
    Cookie: a=b",
      "set-cookie": [
        {
          "$secret": "set-cookie",
        },
        {
          "$secret": "set-cookie",
        },
      ],
      "url": "postgres://admin:⟦secret:⟦secret:token⟧&y=1",
    }
  `);
});

test("what was hidden once stays as it is when it is looked at again", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = redactForTrace(value);
      expect(redactForTrace(once)).toEqual(once);
    }),
  );
  const once = redactForTrace({ a: "a1B2c3D4e5F6g7H8i9J0k1L2", b: "x-api-key: five5secret" });
  expect(redactForTrace(once)).toEqual(once);
});

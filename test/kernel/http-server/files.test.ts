/** Files as answers over HTTP: a form with files, what the server refuses, and the client that sends bytes. */
import { expect, test } from "vitest";
import { connect } from "../../../kernel/http-client/connect.ts";
import { served, type TestRole, TOKENS } from "./serving.ts";

async function asking() {
  const { ask, url, session } = await served();
  const started = await ask("/graphs/Upload/runs?wait=30", { body: { input: {} } });
  const { run_id: id, interrupts } = started.json;
  const run = `/runs/${id}`;
  return { ask, url, session, run, id, path: `${run}/questions/${interrupts[0].id}` };
}

function formOf(...files: readonly (readonly [name: string, content: string])[]): FormData {
  const form = new FormData();
  for (const [name, content] of files) form.append("file", new Blob([content]), name);
  return form;
}

test("the files of a form are the answer, once by its key; their bytes are artifacts of the run", async () => {
  const { ask, run, path } = await asking();
  const asked = {
    body: formOf(["a.pdf", "%PDF a"], ["../../b.txt", "b"]),
    as: "answer" as const,
    headers: { "idempotency-key": "k1" },
  };
  for (const _ of [1, 2]) expect((await ask(`${path}/files?wait=30`, asked)).status).toBe(200);
  const { json } = await ask(run);
  expect(json).toMatchObject({
    status: "succeeded",
    output: {
      papers: [
        { name: "a.pdf", mime: "application/pdf", bytes: 6 },
        { name: "b.txt", mime: "text/plain", bytes: 1 },
      ],
    },
  });
  const { artifacts } = (await ask(`${run}/artifacts`)).json;
  expect(artifacts).toHaveLength(2);
  const { text, headers } = await ask(`${run}/artifacts/${encodeURIComponent(artifacts[0].id)}`);
  expect(text).toBe("%PDF a");
  expect(headers.get("content-disposition")).toContain("a.pdf");
  const { status } = await ask(`${path}/files`, { body: formOf(["c.txt", "c"]) });
  expect(status).toBe(409);
});

interface Refused {
  readonly body?: unknown;
  readonly as?: TestRole;
  readonly headers?: Readonly<Record<string, string>>;
}

test.each<[string, Refused, number, string]>([
  ["an empty file", { body: formOf(["empty.pdf", ""]) }, 422, "M5317"],
  ["more than 25 MB", { body: formOf(["huge.bin", "x".repeat(26 * 1024 * 1024)]) }, 413, "M7781"],
  ["a form without a file", { body: new FormData() }, 400, "M7782"],
  ["a body that is no form", { body: { text: "./report.pdf" } }, 415, "M7782"],
  [
    "a broken form",
    { body: {}, headers: { "content-type": "multipart/form-data; boundary=x" } },
    400,
    "M7782",
  ],
  ["somebody who may not answer", { body: formOf(["a.txt", "a"]), as: "run" }, 403, "M7778"],
])("%s is refused, and the question stays open", async (_, asked, status, code) => {
  const { ask, run, path } = await asking();
  const refused = await ask(`${path}/files`, asked);
  expect([refused.status, refused.json.error.code]).toEqual([status, code]);
  expect((await ask(run)).json).toMatchObject({ status: "waiting" });
});

test("a field of the form that nobody knows is refused", async () => {
  const { ask, path } = await asking();
  const body = formOf(["a.txt", "a"]);
  body.set("path", "/etc/passwd");
  expect((await ask(`${path}/files`, { body })).json.error.code).toBe("M7782");
});

test.each([
  ["a path as a text", { text: "file /etc/passwd" }, "M7104"],
  ["a path as data", { answer: { kind: "value", value: { path: "/etc/passwd" } } }, "M5311"],
  [
    "a reference to bytes that the run does not have",
    {
      answer: {
        kind: "value",
        value: [
          {
            ...{ id: "x@1", name: "x", kind: "file", mime: "text/plain", bytes: 1 },
            hash: "0".repeat(64),
          },
        ],
      },
    },
    "M5317",
  ],
])("the server reads nothing of its own for an answer: %s is refused", async (_, body, code) => {
  const { ask, run, path } = await asking();
  expect((await ask(`${path}/answer`, { body })).json.error.code).toBe(code);
  expect((await ask(run)).json).toMatchObject({ status: "waiting" });
});

test("the description has the form", async () => {
  const { ask } = await served();
  const { paths } = (await ask("/openapi.json")).json as unknown as {
    readonly paths: Readonly<Record<string, { readonly post: { readonly requestBody: object } }>>;
  };
  expect(paths["/runs/{run}/questions/{question}/files"]?.post.requestBody).toMatchObject({
    content: {
      "multipart/form-data": {
        schema: { properties: { file: { items: { format: "binary" } } }, required: ["file"] },
      },
    },
  });
});

test("the client sends one file or several, as bytes or a text", async () => {
  for (const value of [
    { name: "a.bin", data: new Uint8Array([0, 255, 1]) },
    [
      { name: "a.bin", data: new Uint8Array([0, 255, 1]) },
      { name: "b.md", data: "# b" },
    ],
  ]) {
    const { url, id } = await asking();
    const run = await connect(url, { token: TOKENS.admin }).open(id);
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value });
    await run.output;
    const artifacts = await run.artifacts();
    expect(artifacts.map(({ name }) => name)).toEqual([value].flat().map(({ name }) => name));
    expect([...(await run.artifact(artifacts[0]?.id ?? ""))]).toEqual([0, 255, 1]);
  }
});

/** What VS Code's Jupyter extension needs of us: every field that the table in kernel/manual/front-ends.md counts on. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { expect, test } from "vitest";
import { chart, toBundle } from "../../../kernel/display/index.ts";
import { kernelInfo } from "../../../kernel/jupyter/requests/kernel-info.ts";
import { ownKernelspec } from "../../../kernel/lab/kernelspec.ts";
import { follow, graphOf, looked, SEARCH, searching } from "../display/runs.ts";

test("the kernelspec: a command without a PATH, messages for interrupts, a language that it knows", () => {
  const { argv, display_name, language, interrupt_mode, env } = ownKernelspec();
  const [node = "", ...words] = argv;
  expect(isAbsolute(node) && existsSync(node)).toBe(true);
  expect(words.filter((word) => word === "{connection_file}")).toHaveLength(1);
  const launcher = words.find((word) => word.endsWith("madrigal.js")) ?? "";
  expect(isAbsolute(launcher) && existsSync(launcher)).toBe(true);
  expect(display_name).toBe("Madrigal (TypeScript)");
  // Cells get this language; one that it does not know would leave them without colours and without completion.
  expect(language).toBe("typescript");
  expect(interrupt_mode).toBe("message");
  expect(Object.values(env).every((value) => typeof value === "string")).toBe(true);
});

test("kernel_info: what it waits for before the first cell, and what a saved notebook holds of the language", () => {
  const info = kernelInfo();
  expect(info).toMatchObject({
    status: "ok",
    implementation: "madrigal",
    protocol_version: expect.stringMatching(/^5\.\d+$/),
    implementation_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    banner: expect.stringContaining("Madrigal"),
    help_links: expect.any(Array),
    supported_features: expect.any(Array),
    language_info: {
      name: ownKernelspec().language,
      version: expect.stringMatching(/^\d+\.\d+/),
      mimetype: "text/typescript",
      file_extension: ".ts",
      pygments_lexer: "typescript",
      nbconvert_exporter: "script",
      codemirror_mode: { mime: "application/typescript" },
    },
  });
});

/** The forms that its renderers take, the first one that is there counts: `application/vnd.*`, HTML, …, SVG, …, text. */
async function formsOf(value: unknown): Promise<readonly string[]> {
  return Object.keys((await toBundle(value)).data).sort();
}

test("each bundle has a form that it draws, and text for where it draws nothing", async () => {
  const graph = await graphOf(SEARCH, { looked });
  const { run } = follow(searching(graph));
  const output = await run.output;
  expect(await formsOf(graph)).toEqual(["image/svg+xml", "text/plain"]);
  // Nobody there renders the run's own JSON, and an unknown form is passed over.
  const own = "application/vnd.madrigal.run+json";
  expect(await formsOf(run)).toEqual([own, "image/svg+xml", "text/plain"]);
  expect(await formsOf(output)).toEqual(["text/html", "text/markdown", "text/plain"]);
  expect(await formsOf(run.steps)).toEqual(["text/html", "text/markdown", "text/plain"]);
  const rows = [{ x: 1, y: 2 }];
  const encoding = {
    x: { field: "x", type: "quantitative" },
    y: { field: "y", type: "quantitative" },
  } as const;
  const spec = { mark: "bar", encoding } as const;
  // Version 5: the only one that both VS Code and JupyterLab take.
  expect(await formsOf(chart(rows, spec))).toEqual([
    "application/vnd.vegalite.v5+json",
    "image/svg+xml",
    "text/plain",
  ]);
});

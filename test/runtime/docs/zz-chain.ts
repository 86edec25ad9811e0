import { createDocsTools } from "../../../runtime/agents/tools/docs-tools.ts";
import { rules } from "../../../runtime/agents/models/rules.ts";
const docs = createDocsTools({ root: process.env.ROOT ?? "/work/main/node_modules" });
const model = rules();
const str = { type: "string" };
const tools = [
 { type: "function", name: "docs_search", description: "Full-text search over the README and documentation files of the installed packages. Gives the best sections, best first, with a literal snippet of each.", inputSchema: { type: "object", properties: { query: { type: "string", description: "keywords to search for" }, limit: { type: "integer" } }, required: ["query"] } },
 { type: "function", name: "docs_read", description: "Reads a documentation file, or one section of it", inputSchema: { type: "object", properties: { file: { type: "string", description: "the file of a hit" }, heading: str }, required: ["file"] } },
];
async function agent(prompt: string, schema: any, useTools: boolean) {
  const messages: any[] = [{ role: "user", content: [{ type: "text", text: prompt }] }];
  let n = 0;
  for (;;) {
    const r: any = await model.doGenerate({ prompt: messages, ...(useTools ? { tools } : {}), ...(schema ? { responseFormat: { type: "json", schema } } : {}) } as any);
    const calls = r.content.filter((c: any) => c.type === "tool-call");
    if (calls.length === 0) { return { out: r.content[0].text, n }; }
    messages.push({ role: "assistant", content: calls.map((c: any) => ({ ...c, input: JSON.parse(c.input) })) });
    const results = [];
    for (const c of calls) { n++; if (process.env.V) console.log("   ", c.toolName, c.input);
      const v = await (c.toolName === "docs_search" ? docs.search(JSON.parse(c.input)) : docs.read(JSON.parse(c.input)));
      results.push({ type: "tool-result", toolCallId: c.toolCallId, toolName: c.toolName, output: { type: "json", value: v } });
    }
    messages.push({ role: "tool", content: results });
  }
}
const obj = (p: any) => ({ type: "object", properties: p, required: Object.keys(p), additionalProperties: false });
export async function deepSearch(question: string, width = 3) {
  const plan = JSON.parse((await agent(`Split the question into at most ${width} searches. The first has all its telling words.\nQuestion: ${question}`, obj({ tasks: { type: "array", items: obj({ query: str, why: str }) } }), false)).out);
  let findings: any[] = []; let n = 0;
  for (const task of plan.tasks) {
    const r = await agent(`Find literal sentences that answer a question.\n\nSearch for: ${task.query}\nWhy: ${task.why}\nWhole question: ${question}`, obj({ findings: { type: "array", items: obj({ package: str, file: str, heading: str, quote: str, score: { type: "number" } }) } }), true);
    n += r.n; findings.push(...JSON.parse(r.out).findings);
  }
  const seen = new Set(); findings = findings.filter((f) => !seen.has(f.quote) && seen.add(f.quote));
  const kept = await docs.verify(findings);
  const report = (await agent(`Answer the question from the findings alone. Quote them literally.\n\nQuestion: ${question}\nFindings: ${JSON.stringify(kept, null, 2)}`, undefined, false)).out;
  return { plan, findings, kept, report, n };
}
if (process.argv[1]?.endsWith("zz-chain.ts")) for (const q of process.argv.slice(2)) {
  const t = performance.now(); const r = await deepSearch(q);
  console.log("#####", q, Math.round(performance.now() - t), "ms, tool calls", r.n, "findings", r.findings.length, "kept", r.kept.length);
  console.log(r.plan.tasks.map((x: any) => x.query)); console.log(r.report);
}

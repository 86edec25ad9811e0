/** Google's generateContent, streamed. */
import { type Protocol, type ProtocolAnswer, piecesOf, sseFrame, USAGE } from "./protocol.ts";

interface GoogleItem {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly data: string };
  readonly functionCall?: { readonly name: string; readonly args: unknown };
  readonly functionResponse?: { readonly response: { readonly content?: unknown } };
}

interface GenerateBody {
  readonly contents: readonly { readonly parts: readonly GoogleItem[] }[];
  readonly systemInstruction?: { readonly parts: readonly GoogleItem[] };
  readonly tools?:
    | readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[]
    | { readonly functionDeclarations?: readonly { readonly name: string }[] };
  readonly generationConfig?: {
    readonly responseSchema?: unknown;
    readonly responseJsonSchema?: unknown;
  };
}

function frames(answer: ProtocolAnswer, model: string): string[] {
  const { reasoning, hidden, text, calls = [], finish, usage = USAGE } = answer;
  const chunk = (parts: readonly object[], rest: object = {}, more: object = {}) =>
    sseFrame({
      modelVersion: model,
      candidates: [{ index: 0, content: { role: "model", parts }, ...rest }],
      ...more,
    });
  // Gemini signs the first part after its thoughts.
  let signature = reasoning?.signature ?? hidden;
  const signed = (part: object) => {
    const one = signature === undefined ? part : { ...part, thoughtSignature: signature };
    signature = undefined;
    return one;
  };
  const finishReason =
    finish === "length" ? "MAX_TOKENS" : finish === "content-filter" ? "SAFETY" : "STOP";
  return [
    ...piecesOf(reasoning?.text ?? "").map((one) => chunk([{ text: one, thought: true }])),
    ...piecesOf(text ?? "").map((one) => chunk([signed({ text: one })])),
    ...calls.map(({ id, name, input }) =>
      chunk([signed({ functionCall: { id, name, args: input } })]),
    ),
    chunk(
      [],
      { finishReason },
      {
        usageMetadata: {
          promptTokenCount: usage.input,
          cachedContentTokenCount: usage.cached,
          candidatesTokenCount: usage.output,
          totalTokenCount: usage.input + usage.output,
        },
      },
    ),
  ];
}

function read(path: string, body: GenerateBody) {
  const parts = body.contents.flatMap((content) => content.parts);
  const tools = [body.tools ?? []].flat();
  return {
    model: /models\/([^:]+):/.exec(path)?.[1] ?? "",
    texts: [...(body.systemInstruction?.parts ?? []), ...parts].flatMap(({ text, thought }) =>
      text === undefined || thought === true ? [] : [text],
    ),
    images: parts.flatMap(({ inlineData }) => inlineData?.data ?? []),
    tools: tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [{ name: functionCall.name, input: functionCall.args }],
    ),
    results: parts.flatMap(({ functionResponse }) => {
      if (functionResponse === undefined) return [];
      const { content } = functionResponse.response;
      return [typeof content === "string" ? content : JSON.stringify(content)];
    }),
    signed: parts.flatMap(({ thoughtSignature, thought, text }) => {
      if (thought === true) return [`${text}|`];
      // The package says by it that the call is another model's.
      return thoughtSignature === undefined || thoughtSignature.startsWith("skip_thought")
        ? []
        : [`|${thoughtSignature}`];
    }),
    schema: body.generationConfig?.responseSchema ?? body.generationConfig?.responseJsonSchema,
  };
}

export const googleGenerate: Protocol = {
  name: "Google generateContent",
  provider: "google",
  model: "gemini-3-pro",
  env: (url, key) => ({
    GOOGLE_GENERATIVE_AI_API_KEY: key,
    GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta`,
  }),
  signs: true,
  filters: true,
  contentType: "text/event-stream",
  frames,
  error: (code, message) => ({ error: { code, message, status: "FAILED" } }),
  read,
};

/** A role for a node: asks a model with tools until the answer has its shape, and tells the model what is wrong with it. */
// LangGraph has no such thing for a node; `responseFormat` of its agent asks the model once more for the form alone.
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { z } from "zod";

const TRIES = 3;

export function createRole({ llm, tools = [], shape, turns = 20 }) {
  const json = { response_format: { type: "json_object" } };
  const model = shape === undefined ? llm : llm.withConfig(json);
  const agent = createReactAgent({ llm: model, tools });
  return async ({ prompt, system = "", wrong = () => undefined }) => {
    let messages = [new SystemMessage(`${system}\n${formOf(shape)}`), new HumanMessage(prompt)];
    for (let tries = 1; ; tries += 1) {
      const answered = await agent.invoke({ messages }, { recursionLimit: 2 * turns + 1 });
      const { value, fault } = read(answered.messages.at(-1).text, shape);
      const why = fault ?? wrong(value);
      if (why === undefined) return value;
      if (tries === TRIES) throw new Error(why);
      messages = [...answered.messages, new HumanMessage(why)];
    }
  };
}

function formOf(shape) {
  if (shape === undefined) return "";
  return `Answer with JSON of this form: ${JSON.stringify(z.toJSONSchema(shape))}`;
}

function read(text, shape) {
  if (shape === undefined) return { value: text };
  try {
    return { value: shape.parse(JSON.parse(text)) };
  } catch (error) {
    return { fault: `The answer does not fit: ${error.message}` };
  }
}

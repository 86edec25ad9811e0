/** The letter of `letter.madrigal` in LangGraph JS. */
import { END, ReducedValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { compose, findSlips, post, priceOf, shorten } from "./letter.ts";

const State = new StateSchema({
  name: z.string(),
  draft: z.string(),
  kind: z.enum(["short", "long"]),
  slips: new ReducedValue(
    z.array(z.string()).default(() => []),
    {
      reducer: (all, more) => [...all, ...more],
    },
  ),
  price: z.number(),
  sent: z.string(),
});

export const createLetter = () =>
  new StateGraph(State)
    .addNode("write", ({ name }) => compose(name))
    .addNode("cut", ({ draft }) => ({ draft: shorten(draft) }))
    .addNode("look", ({ draft }) => ({ draft: shorten(draft) }))
    .addNode("read", ({ draft }) => ({ slips: findSlips(draft) }))
    .addNode("weigh", ({ draft }) => ({ price: priceOf(draft) }))
    .addNode("send", ({ draft, price }) => ({ sent: post(draft, price) }))
    .addEdge(START, "write")
    .addConditionalEdges("write", ({ kind }) => (kind === "long" ? "cut" : "look"), ["cut", "look"])
    .addEdge("cut", "read")
    .addEdge("cut", "weigh")
    .addEdge("look", "read")
    .addEdge("look", "weigh")
    .addEdge(["read", "weigh"], "send")
    .addEdge("send", END)
    .compile();

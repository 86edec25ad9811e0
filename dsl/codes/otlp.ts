import type { CodePage } from "./page.ts";

/** Spans of OpenTelemetry, going out and coming in. */
export const otlp = {
  M5430: {
    title: "the trace has nothing of this run",
    why: "Spans are made of the rows of the trace, and there are none for this run: it has not begun, or its log could not be read (`madrigal trace rebuild` reads all logs anew).",
  },
  M5431: {
    title: "spans can't be sent to this address",
    why: "Spans go to an http or https address as JSON (`http/json`). OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is taken as it is, OTEL_EXPORTER_OTLP_ENDPOINT gets `/v1/traces` behind it; neither is read unless an export asks for it. gRPC and protobuf are not spoken: a collector takes http/json on port 4318 as a rule.",
  },
  M5432: {
    title: "the receiver did not take the spans",
    why: "It could not be reached, took too long, or answered with an error. Where trying again can help (429, 502, 503, 504, a broken line) it was tried five times, as long apart as the receiver asked for. Spans that it took before are there; sending them again does no harm.",
  },
  M5433: {
    title: "the file has no spans that can be read",
    why: "Spans are read from the JSON form of OTLP: a request's body (`{\"resourceSpans\": […]}`), or one such body a line, as a collector's file exporter writes them. Protobuf is not read.",
  },
  M5434: {
    title: "this run is here already, with its log",
    why: "A log knows more than spans do, so spans of a run that this workspace has a log of are not taken. To look at them anyway, import them into another workspace (MADRIGAL_HOME).",
  },
  M5435: {
    title: "an imported run has no log",
    why: "It came in as spans of another program: SQL, views and charts work, but there is nothing to resume, replay, fork or rewind. The program that made it can be asked; a run of Madrigal travels with its log by `madrigal export RUN` without `--otlp`.",
  },
  M5436: {
    title: "the endpoint for spans can't listen",
    why: "The port is taken by another process, or may not be used. Name another one, or none: then a free one is found and printed.",
  },
  M5437: {
    title: "a file of spans can't be read or written",
    why: "The file system refused; its message says why. A file that could not be written whole is not left behind.",
  },
} as const satisfies Record<`M54${number}`, CodePage>;

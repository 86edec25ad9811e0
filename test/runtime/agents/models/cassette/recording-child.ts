/** Records call after call into the file of its first argument, until it is killed. Its second argument names its questions. */
import { CassetteFile } from "../../../../../runtime/agents/models/cassette/cassette-file.ts";
import { recordingModel } from "../../../../../runtime/agents/models/cassette/record.ts";
import { talker } from "./talker.ts";

const [path = "", name = "", count = "Infinity"] = process.argv.slice(2);
const model = talker([]);
const of = { id: "test/talker", source: "live", model } as const;
const tape = { id: "cassette", file: new CassetteFile(path), hide: (text: string) => text };
const recording = recordingModel(of, tape);
for (let number = 0; number < Number(count); number += 1) {
  const text = `${name} ${number} ${"x".repeat(20_000)}`;
  const content = [{ type: "text" as const, text }];
  const { stream } = await recording.doStream({ prompt: [{ role: "user", content }] });
  for await (const _ of stream);
  if (number === 3) console.log("recording");
}

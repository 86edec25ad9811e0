/** Turns what went wrong in the process of local models into failures with a code and a hint. */
import { type Failure, FailureError } from "../../../failure.ts";
import type { LlamaPlace } from "./llama-messages.ts";
import { LlamaError } from "./llama-process.ts";

/** The failure of a call of the model `id`; what is no fault of the process is given back as it is. */
export function localFailure(thrown: unknown, id: string, place: LlamaPlace): unknown {
  if (!(thrown instanceof LlamaError)) return thrown;
  const failure = failureOf(thrown.fault, id, place);
  return new FailureError({ class: "model", ...failure }, { cause: thrown });
}

function failureOf(
  fault: LlamaError["fault"],
  id: string,
  { file, packageFolder, contextSize }: LlamaPlace,
): Pick<Failure, "code" | "message" | "hint"> {
  switch (fault.kind) {
    case "load":
      return {
        code: "M8143",
        message: `\`${id}\` could not be loaded: ${fault.detail}`,
        hint: `${file} may be damaged, cut off, or newer than ${packageFolder} knows`,
      };
    case "context":
      return {
        code: "M8144",
        message: `there is no memory for the context of \`${id}\`: ${fault.detail}`,
        hint: `set a smaller \`contextSize\` of the model${contextSize === undefined ? "" : ` than ${contextSize}`}`,
      };
    case "too long":
      return {
        code: "M8145",
        message: `the prompt of \`${id}\` has ${fault.tokens} tokens, and its context holds ${fault.contextSize}`,
        hint: "shorten the prompt, limit what tools return (`context { offload: … }`), or set a larger `contextSize` if the model was trained for it",
      };
    case "evaluation":
      return {
        code: "M8146",
        message: `\`${id}\` broke down while it answered: ${fault.detail}`,
        hint: `${file} or ${packageFolder} may be damaged: fetch or install them again`,
      };
    case "ended":
      return {
        code: "M8146",
        message: `\`${id}\` broke down: its process ended (${fault.detail})`,
        hint: "the machine may have run out of memory; a smaller model or `contextSize` takes less",
      };
  }
}

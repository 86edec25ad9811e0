/** Sorts the settings of a `model` declaration: those of each call, and those of the provider that it names. */
import { MODEL_SETTINGS, modelSettingFault, readModelId } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import type { CallSettings, ModelHandle, ModelSettings, ProviderSettings } from "./model-handle.ts";

/** The settings of a handle, under the names of the AI SDK. */
export function sortedSettings(
  settings: ModelSettings,
): Pick<ModelHandle, "settings" | "providerSettings"> {
  const { effort, ...call } = settingsOf(settings, "call");
  const forCalls: CallSettings = effort === undefined ? call : { ...call, reasoning: effort };
  const providerSettings: ProviderSettings = settingsOf(settings, "provider");
  return {
    settings: forCalls,
    ...(Object.keys(providerSettings).length === 0 ? {} : { providerSettings }),
  };
}

/**
 * The settings of a declaration of `declared` that `chosen` is asked with. Those of a provider stay with it: no other one
 * is asked at its address, or with its headers. Throws M8133 for a setting that is wrong, as M2116 does where the text says it.
 */
export function settingsFor(
  settings: Readonly<Record<string, unknown>>,
  { declared, chosen }: { readonly declared: string; readonly chosen: unknown },
): ModelSettings {
  for (const [name, value] of Object.entries(settings)) {
    const fault = modelSettingFault(name, value, declared);
    if (fault !== undefined) throw new RunError("M8133", fault.message, { hint: fault.hint });
  }
  return chosen === declared || providerIn(chosen) === providerIn(declared)
    ? settings
    : settingsOf(settings, "call");
}

function settingsOf(settings: ModelSettings, use: "call" | "provider"): ModelSettings {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name]) => MODEL_SETTINGS[name as keyof typeof MODEL_SETTINGS]?.use === use,
    ),
  );
}

function providerIn(id: unknown): string | undefined {
  if (typeof id !== "string") return undefined;
  const read = readModelId(id);
  if (read.kind === "provider") return read.provider;
  if (read.kind === "gguf") return read.kind;
  return read.kind === "package" ? read.package : id;
}

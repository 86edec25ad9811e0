/** `npm run soak`: what CI does a little of, done for longer: 60 kills a mode, or as many as MADRIGAL_KILLS says. */
process.env.MADRIGAL_KILLS ??= "60";
process.argv.splice(2, 0, "test/runtime/kills");
await import("./run-tests.ts");

export {};

/** Replays a stored run in a process in which nothing but the log can be asked: started by replay-alone.test.ts. */
import { Session } from "../../../runtime/index.ts";

const asked = (what: string) => () => {
  throw new Error(`${what} was asked`);
};

const scope = { look: asked("a function"), more: asked("a function") };
const session = new Session({ cwd: process.cwd() });
const run = session.open("last", { scope, models: { m: asked("a model") as never } });
const real = { now: Date.now, random: Math.random, performance: performance.now };
Object.assign(Date, { now: asked("the clock") });
Object.assign(Math, { random: asked("chance") });
Object.assign(performance, { now: asked("the clock") });
const replay = run.replay();
Object.assign(Date, { now: real.now });
Object.assign(Math, { random: real.random });
Object.assign(performance, { now: real.performance });
console.log(JSON.stringify({ ...replay, told: run.state }));
await session.close();

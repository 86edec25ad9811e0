/** A small world that an agent acts on: a house of three rooms, of which one is locked and dark. */
import { tool } from "madrigal";

/** The whole state of the world. */
interface World {
  room: string;
  key: "kitchen" | "hand";
  isLocked: boolean;
  isLit: boolean;
}

/** Makes a house of its own: its tools, and what an onlooker sees of it. */
export function createHouse() {
  const begin = (): World => ({ room: "hall", key: "kitchen", isLocked: true, isLit: false });
  let world = begin();

  const observe = (): string => {
    const things = world.key === world.room ? "; there is a key" : "";
    const lamp = world.room === "cellar" ? `; the lamp is ${world.isLit ? "on" : "off"}` : "";
    return `You are in the ${world.room}${things}${lamp}.`;
  };
  const refuse = (why: string): never => {
    throw new Error(`${why} ${observe()}`);
  };
  const go = ({ to }: { readonly to: string }): string => {
    if (!["hall", "kitchen", "cellar"].includes(to)) refuse(`There is no ${to}.`);
    if (to !== "hall" && world.room !== "hall") refuse("From here one can go to the hall alone.");
    if (to === "cellar" && world.isLocked) refuse("The door of the cellar is locked.");
    world.room = to;
    return observe();
  };
  const take = ({ thing }: { readonly thing: string }): string => {
    if (thing !== "key" || world.key !== world.room) refuse(`There is no ${thing} to take.`);
    world.key = "hand";
    return `You have the key. ${observe()}`;
  };
  const use = ({ thing }: { readonly thing: string }): string => {
    if (thing === "key" && world.key === "hand" && world.room === "hall") world.isLocked = false;
    else if (thing === "lamp" && world.room === "cellar") world.isLit = true;
    else refuse(`The ${thing} is of no use here.`);
    return thing === "key" ? `The cellar is open. ${observe()}` : observe();
  };

  const reset = (): string => {
    world = begin();
    return observe();
  };

  const acts = { effect: "workspace" } as const;
  const informs = { effect: "none" } as const;
  const text = { type: "string" } as const;
  const place = { type: "object", properties: { to: text }, required: ["to"] } as const;
  const object = { type: "object", properties: { thing: text }, required: ["thing"] } as const;
  const house = {
    reset: tool(
      () => {
        world = begin();
        return observe();
      },
      {
        ...acts,
        description: "begins anew, and says what there is to see",
        input: { type: "object" },
      },
    ),
    go: tool(go, { ...acts, description: "goes to a room", input: place }),
    take: tool(take, { ...acts, description: "takes a thing of the room", input: object }),
    use: tool(use, { ...acts, description: "uses a thing: the key, the lamp", input: object }),
    look: tool(observe, {
      ...informs,
      description: "says what there is to see",
      input: { type: "object" },
    }),
    manual: tool(
      () => ({
        tools: {
          go: "goes to a room: hall, kitchen or cellar",
          take: "takes a thing of the room",
          use: "uses a thing: the key in the hall, the lamp in the cellar",
        },
        rules:
          "The kitchen and the cellar are reached from the hall. The cellar is locked; the key lies in the kitchen.",
      }),
      { ...informs, description: "says which tools act, and the rules", input: { type: "object" } },
    ),
  };
  return { house, reset, isLit: () => world.isLit };
}

/** The house of the programs beside this file. */
export const { house, reset, isLit } = createHouse();

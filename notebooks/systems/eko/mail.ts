/** A mailbox that agents read: letters that are there, and those that come later. */
import { tool } from "madrigal";

/** Makes a mailbox of its own, the tools for it, and the function that puts a letter into it. */
export function createMail(letters: Readonly<Record<string, string>>) {
  const box = new Map(Object.entries(letters));
  const fresh: string[] = [];
  let arrived = Promise.withResolvers<void>();
  const wait = async (): Promise<string> => {
    for (;;) {
      const name = fresh.shift();
      if (name !== undefined) return name;
      await arrived.promise;
    }
  };
  const name = { type: "string" } as const;
  const letter = { type: "object", properties: { name }, required: ["name"] } as const;
  const informs = { effect: "none", parallel: true } as const;
  const mail = {
    list: tool(() => [...box.keys()], {
      ...informs,
      description: "lists the letters by their names",
      input: { type: "object" },
    }),
    read: tool(
      (asked: { readonly name: string }) => {
        const text = box.get(asked.name);
        if (text === undefined) throw new Error(`there is no letter from ${asked.name}`);
        return text;
      },
      { ...informs, description: "reads the letter with that name", input: letter },
    ),
    wait: tool(wait, {
      ...informs,
      description: "waits for the next letter and says its name",
      input: { type: "object" },
    }),
  };
  const deliver = (from: string, text: string): void => {
    box.set(from, text);
    fresh.push(from);
    arrived.resolve();
    arrived = Promise.withResolvers();
  };
  return { mail, deliver };
}

/** The mailbox of the programs beside this file. */
export const { mail, deliver } = createMail({
  Ghent: "A lamp costs 30.",
  Bruges: "A lamp costs 25.",
});

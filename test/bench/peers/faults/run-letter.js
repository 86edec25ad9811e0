/** Compiles and runs the letters that its arguments name, each in its turn, and says where each tells its fault. */
const told = [];
for (const file of process.argv.slice(2)) told.push(await tell(file));
console.log(JSON.stringify(told));
process.exit();

async function tell(file) {
  let graph;
  try {
    graph = (await import(file)).createLetter();
  } catch {
    return "compile";
  }
  try {
    await graph.invoke({ name: "Ann" }, { recursionLimit: 25 });
    return "never";
  } catch {
    return "run";
  }
}

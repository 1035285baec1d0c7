import { type ChildProcess, spawn } from "node:child_process";
import { expect, it } from "vitest";
import { MAIN } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

/** Starts a chat whose input stays open. `act` acts when the chat has begun. */
const chat = (act: (child: ChildProcess) => void): Promise<number | null> => {
  const cwd = folderWith({ "agents/smith/agent.yaml": "id: smith\nmind: tools\n" });
  const sets = ["--set", "memory.backend=none"];
  const child: ChildProcess = spawn(
    process.execPath,
    [MAIN, "chat", "smith", "--model", "mock", ...sets],
    { cwd },
  );
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const before = said;
    said += text;
    if (!before.includes("/help lists") && said.includes("/help lists")) act(child);
  });
  return new Promise((resolve) => {
    child.on("close", resolve);
  });
};

const exit = (child: ChildProcess): void => void child.stdin?.write("/exit\n");
const interrupt = (child: ChildProcess): void => void child.kill("SIGINT");

it.each([
  ["/exit", 0, exit],
  ["Ctrl-C", 130, interrupt],
] as const)("a chat ends on %s, although its input stays open", async (_, code, act) => {
  expect(await chat(act)).toBe(code);
});

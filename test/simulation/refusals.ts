import type { State } from "../../src/kernel/index.ts";
import type { AnswerSyscall, Sandbox } from "../../src/world/sandbox/index.ts";

type Rows = ReadonlyMap<string, unknown>;

/** Every row, as `table/key`. Rows are immutable, so an unchanged row is the same object. */
export const rowsOf = (state: State): Rows =>
  new Map(
    Object.entries(state).flatMap(([table, rows]) =>
      "entries" in rows
        ? [...(rows.entries() as Iterable<[string, unknown]>)].map(
            ([key, row]) => [`${table}/${key}`, row] as const,
          )
        : [],
    ),
  );

const changedRows = (before: Rows, after: Rows): readonly string[] => {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.filter((key) => before.get(key) !== after.get(key));
};

const revenueIn = (rows: Rows, key: string): number =>
  (rows.get(key) as { readonly revenue: number } | undefined)?.revenue ?? 0;

/**
 * The rows that a refused command of `actor` has changed wrongly. It may change the actor's own
 * counters and sleep, the proposal that was accepted, the public log, inboxes, and the count of
 * failures at the program that failed.
 */
export const movedByRefusal = (before: Rows, after: Rows, actor: string): readonly string[] => {
  const own = [
    "world/world",
    ...["agents", "usages", "sleepers", "proposals"].map((table) => `${table}/${actor}`),
  ];
  return changedRows(before, after).filter((key) => {
    if (own.includes(key) || key.startsWith("inboxes/")) return false;
    return !key.startsWith("trades/") || revenueIn(before, key) !== revenueIn(after, key);
  });
};

/** The fields of the world row that a failed call must not change. */
const worldFields = (state: State): string => {
  const { supply, artifactsMade, holdsMade, agentsMade, prng } = state.world.get("world") ?? {};
  return JSON.stringify({ supply, artifactsMade, holdsMade, agentsMade, prng });
};

/** Counts the syscalls of programs, and throws if a refused one has changed the state. */
export const watchSyscalls = (sandbox: Sandbox, stateNow: () => State) => {
  const counted = { syscalls: 0 };
  const { run } = sandbox;
  const watched =
    (answer: AnswerSyscall): AnswerSyscall =>
    (syscall) => {
      counted.syscalls += 1;
      const { name, argsJson } = syscall;
      const [before, fixed] = [rowsOf(stateNow()), worldFields(stateNow())];
      const reply = answer(syscall);
      const failed = reply.ok && name === "invoke" && !JSON.parse(reply.resultJson).success;
      if (reply.ok && !failed) return reply;
      const counters = failed ? ["world/world", `trades/${JSON.parse(argsJson)[0]}`] : [];
      const moved = changedRows(before, rowsOf(stateNow())).filter(
        (row) => !counters.includes(row) && !(failed && row.startsWith("inboxes/")),
      );
      if (worldFields(stateNow()) !== fixed) moved.push("world/world");
      if (moved.length > 0) throw new Error(`the refused ${name} ${argsJson} moves ${moved}`);
      return reply;
    };
  sandbox.run = (call, answer) => run.call(sandbox, call, watched(answer));
  return counted;
};

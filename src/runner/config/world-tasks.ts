import { invariant, type Json, type Opening, readOpening } from "../../kernel/index.ts";
import { type Config, isPlain } from "./config-schema.ts";
import { msOf, physicsFor } from "./physics-of.ts";

/** A task of the world's own, and when it is offered. */
export type WorldTask = Opening & { readonly atMs: number };

export const tasksFor = ({ mint }: Config): readonly WorldTask[] =>
  mint.tasks.map(({ id: task, from_s, reward, description, public_tests, hidden_tests }) => ({
    task,
    atMs: msOf(from_s),
    reward,
    description,
    public_tests: asJson(public_tests),
    hidden_tests: asJson(hidden_tests),
  }));

const asJson = (given: unknown): Json => {
  invariant(isPlain(given), "the schema of a configuration lets only plain data through");
  return given;
};

/** What is wrong with tasks that the world would refuse, each with its place in the list. */
export const taskProblems = (
  config: Config,
): readonly { readonly index: number; readonly message: string }[] => {
  const physics = physicsFor(config);
  const tasks = tasksFor(config);
  return tasks.flatMap((task, index) => {
    const tests = readOpening(physics, task);
    const twice = tasks.findIndex((other) => other.task === task.task) < index;
    if (twice) return [{ index, message: `there is a task "${task.task}" already` }];
    return typeof tests === "string" ? [{ index, message: tests }] : [];
  });
};

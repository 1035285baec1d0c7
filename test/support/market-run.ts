import { cpSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder, makeRun } from "./sim.ts";

let made: string | undefined;

/** The folder of a finished run `market` of 60 s with the shipped agents, made once. */
const market = (): string => {
  if (made !== undefined) return made;
  made = emptyFolder();
  makeRun(made, { name: "market", seconds: 60 });
  return made;
};

/** Copies the run `market` into the runs of a folder, under this name. */
export const copyMarketRun = (folder: string, name = "market"): void =>
  cpSync(join(market(), "runs/market"), join(folder, "runs", name), { recursive: true });

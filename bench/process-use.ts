import { readFileSync } from "node:fs";

/** What a process has used so far: CPU in seconds, and its highest memory in MB. */
export type ProcessUse = {
  readonly cpuS: number;
  /** The part of its main thread. */
  readonly mainS: number;
  readonly peakMb: number;
};

/** Linux counts CPU in units of 10 ms. */
const TICKS_PER_S = 100;

/** Reads `/proc`, which only Linux has. Elsewhere, and after the end of the process: zeros. */
export const useOf = (pid: number | undefined): ProcessUse => {
  const [, peakKb = "0"] = /VmHWM:\s+(\d+)/.exec(textIn(`/proc/${pid}/status`)) ?? [];
  const cpuS = cpuIn(`/proc/${pid}/stat`);
  return { cpuS, mainS: cpuIn(`/proc/${pid}/task/${pid}/stat`), peakMb: Number(peakKb) / 1e3 };
};

/** The places of the user time and the system time after the name of the command. */
const [USER, SYSTEM] = [11, 12];

const cpuIn = (file: string): number => {
  const fields = textIn(file).split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[USER] ?? 0) + Number(fields[SYSTEM] ?? 0)) / TICKS_PER_S;
};

const textIn = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

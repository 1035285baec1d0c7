import { missingPython } from "../../src/tools/kinds.ts";

/** The part of the environment that finds `python3`. */
export const PYTHON_ENV = { PATH: process.env.PATH };

/** Whether tests can run Python on this machine. If not, they are shown as skipped. */
export const hasPython = missingPython(PYTHON_ENV) === null;

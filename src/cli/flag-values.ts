import { InvalidArgumentError } from "commander";
import { parseModelId } from "../mind/index.ts";

// Parsers of what flags take; what they throw becomes one line that names the flag.

export const positive = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("It must be a number above 0.");
};

export const notNegative = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError("It must be a number, 0 or more.");
};

export const wholeFrom =
  (least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
  };

const PORT_MAX = 65_535;

/** A port to listen on; 0: any that is free. */
export const port = (text: string): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= PORT_MAX) return value;
  throw new InvalidArgumentError(`It must be a port, 0 to ${PORT_MAX}.`);
};

/** Where something is to be written: any path, but one. */
export const path = (text: string): string => {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must be a path.");
};

/** A language model, as `provider/model`; whether the provider has it only the provider knows. */
export const model = (text: string): string => {
  const read = parseModelId(text);
  if (read.ok) return text;
  throw new InvalidArgumentError(`${read.problem}, as in gemini/gemini-3-flash-preview.`);
};

/** Names, separated by commas. */
export const names = (text: string): string => {
  if (text.split(",").every((name) => name.trim() !== "")) return text;
  throw new InvalidArgumentError("It must be names, separated by commas, as in ada,fermi.");
};

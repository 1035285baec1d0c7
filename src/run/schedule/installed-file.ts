import type { InstalledFields } from "../../kernel/index.ts";
import { isInterface, type Reading, type ScheduleConfig } from "../config/index.ts";
import { fieldsFor } from "../mechanisms/installed-program.ts";
import { type OwnLine, readPlain, readProgram } from "../mechanisms/program-file.ts";

type Install = NonNullable<ScheduleConfig[number]["install"]>;

type Misfit = { readonly message: string; readonly hint: string | null };
type Installed = Reading<
  { readonly fields: InstalledFields; readonly ownLine: OwnLine } | { readonly misfit: Misfit }
>;

const NO_PROGRAM: Misfit = { message: "only programs, such as *.js, have settings", hint: null };

/**
 * Reads the file of an entry that installs an artifact: a program with its settings, or content.
 * Does not check the code.
 */
export const readInstalled = (install: Install): Installed => {
  const { file, type, settings } = install;
  if (!/\.[cm]?js$/.test(file)) {
    const read = readPlain(file);
    if (!read.ok) return read;
    if (settings !== undefined) return { ok: true, misfit: NO_PROGRAM };
    const fields = { type: type ?? "data", content: read.text, ...givenIn(install) };
    return { ok: true, fields, ownLine: { code: 1, file: 1 } };
  }
  const read = readProgram(file);
  if (!read.ok) return read;
  const made = fieldsFor(read.program, settings ?? {});
  if (!made.ok) {
    const [{ message, hint } = NO_PROGRAM] = made.misfits;
    return { ok: true, misfit: { message, hint } };
  }
  const fields = { type: type ?? "program", ...made.fields, ...givenIn(install) };
  return { ok: true, fields, ownLine: made.ownLine };
};

const givenIn = ({ price, read_price, has_standing, interface: declared }: Install) => ({
  ...(price === undefined ? {} : { price }),
  ...(read_price === undefined ? {} : { read_price }),
  ...(has_standing === undefined ? {} : { has_standing }),
  ...(isInterface(declared) ? { interface: declared } : {}),
});

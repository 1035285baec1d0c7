/** What is read from an index does not fit together. */
export class DamagedIndex extends Error {
  override readonly name = "DamagedIndex";
}

/** SQLite's codes for a damaged file and for one that is no database. */
const DAMAGE_CODES = new Set([11, 26]);

/** Whether it says that an index is damaged, so that it will say so again. */
export const isDamage = (thrown: unknown): boolean => {
  if (thrown instanceof DamagedIndex) return true;
  if (!(thrown instanceof Error)) return false;
  // A number in the file that no number here can be.
  if ("code" in thrown && thrown.code === "ERR_OUT_OF_RANGE") return true;
  return "errcode" in thrown && DAMAGE_CODES.has(Number(thrown.errcode) & 0xff);
};

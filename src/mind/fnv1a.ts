/** Returns the 32-bit FNV-1a hash of a text (Fowler, Noll and Vo), from 0 to 2^32 - 1. */
export const fnv1a = (text: string): number => {
  let hash = 2166136261;
  for (const unit of text) hash = Math.imul(hash ^ unit.charCodeAt(0), 16777619);
  return hash >>> 0;
};

/** FNV-1a, 32 bits (Fowler, Noll and Vo): a number from 0 to 2^32 - 1 that is fixed for a text. */
export const fnv1a = (text: string): number => {
  let hash = 2166136261;
  for (const unit of text) hash = Math.imul(hash ^ unit.charCodeAt(0), 16777619);
  return hash >>> 0;
};

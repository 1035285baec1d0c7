/* ---
description: Tells each caller its private value of each lot, a whole number from 0 to 1000.
methods:
  - name: mine
    description: Your value of a lot.
    input_schema:
      type: object
      properties:
        lot: { type: integer, minimum: 1, maximum: 1000000 }
      required: [lot]
    examples:
      - { args: [1], result: 268 }
--- */
// A hash of the caller and the lot (FNV-1a, then a mix of the bits), so that values seem random.
function mine(lot) {
  let hash = 0x811c9dc5;
  for (const unit of `${caller} ${lot}`) {
    hash = Math.imul(hash ^ unit.codePointAt(0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) % 1_001;
}

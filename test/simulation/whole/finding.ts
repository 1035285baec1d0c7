/** Something that must not be in any world. */
export class Finding extends Error {
  override readonly name = "Finding";
}

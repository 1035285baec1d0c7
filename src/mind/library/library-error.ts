/**
 * A file of the library is not what it should be. The message names the file and what would be
 * right.
 */
export class LibraryError extends Error {
  readonly file: string;

  constructor(file: string, fault: string) {
    super(`${file}: ${fault}`);
    this.name = "LibraryError";
    this.file = file;
  }
}

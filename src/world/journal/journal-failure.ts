/**
 * The journal could not do what its contract promises: disk full, folder read-only, file damaged
 * or locked, or already closed. The message is one line: what, where, cure. Thrown by the methods
 * of `Journal`; once a commit has failed, every later write throws the same object, because a
 * writer that lost a commit must stop. Nothing that was not durable has been acknowledged.
 */
export class JournalFailure extends Error {
  override readonly name = "JournalFailure";
}

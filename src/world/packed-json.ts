import { createHash } from "node:crypto";
import { type Census, JsonCensus } from "./json-census.ts";
import { sha256 } from "./sha256.ts";
import { inSlices, type SliceBounds } from "./slices.ts";
import { deflated, deflatedBeside, inflated } from "./zstd.ts";

/** JSON text as it is kept in files. */
export type PackedJson = {
  /** One zstd frame. */
  readonly frame: Uint8Array;
  /** Of the text. */
  readonly sha256: string;
  /** Of the text, in UTF-8. */
  readonly sizeBytes: number;
};

export const packedJson = (text: string): PackedJson => ({
  frame: deflated(text),
  sha256: sha256(text),
  sizeBytes: Buffer.byteLength(text),
});

/** Without room behind the last byte there would be a second piece, of nothing; 64 is the least. */
const ROOM_BYTES = 64;

/** What a frame was found to hold. */
type Held = Omit<PackedJson, "frame"> & { readonly census: Census };

/** Of frames in use, which nobody changes: to find it out again would take an unpacking. */
const found = new WeakMap<Uint8Array, Held>();

/** The bytes of the text; null where the frame does not hold what is said of it. */
export const unpackedJson = ({ frame, sha256: digest, sizeBytes }: PackedJson): Buffer | null => {
  // In one piece, which then need not be put together.
  const inner = inflated(frame, { bytesMax: sizeBytes, chunkBytes: sizeBytes + ROOM_BYTES });
  const isIt = inner.ok && inner.readBytes === frame.length && sha256(inner.bytes) === digest;
  if (!isIt || inner.bytes.length !== sizeBytes) return null;
  const census = new JsonCensus();
  census.take(inner.bytes);
  found.set(frame, { sha256: digest, sizeBytes, census: census.found });
  return inner.bytes;
};

/** How much there is in the text; null where the frame does not hold what is said of it. */
export const censusOf = (packed: PackedJson): Census | null => {
  const { frame, sha256: digest, sizeBytes } = packed;
  if (!found.has(frame) && unpackedJson(packed) === null) return null;
  const held = found.get(frame);
  return held?.sha256 === digest && held.sizeBytes === sizeBytes ? held.census : null;
};

/** Whether the frame holds the text of this hash, and nothing follows it. */
export const holdsText = (frame: Uint8Array, digest: string): boolean => {
  const held = found.get(frame);
  if (held !== undefined) return held.sha256 === digest;
  const inner = inflated(frame);
  return inner.ok && inner.readBytes === frame.length && sha256(inner.bytes) === digest;
};

/**
 * Packs a text that comes in chunks, which end between characters. It is never held as a whole;
 * other work goes on meanwhile, and the compressing is done on another thread. What comes out
 * depends on the chunks and not on how long anything takes.
 */
export const packedBeside = async (
  chunks: Iterable<string>,
  bounds?: SliceBounds,
): Promise<PackedJson> => {
  const digest = createHash("sha256");
  const census = new JsonCensus();
  let sizeBytes = 0;
  function* looked(): Generator<Buffer, void, undefined> {
    for (const text of piecesOf(chunks)) {
      const piece = Buffer.from(text);
      digest.update(piece);
      census.take(piece);
      sizeBytes += piece.length;
      yield piece;
    }
  }
  async function* inTurns(): AsyncGenerator<Buffer, void, undefined> {
    for await (const slice of inSlices(looked(), bounds)) yield* slice;
  }
  const frame = await deflatedBeside(inTurns());
  const held = { sha256: digest.digest("hex"), sizeBytes };
  found.set(frame, { ...held, census: census.found });
  return { frame, ...held };
};

/** Small enough that none takes long to make, large enough that there are few. */
const PIECE_UNITS = 65_536;

/** The chunks put together, since most are short; an empty one is a place to pause. */
function* piecesOf(chunks: Iterable<string>): Generator<string, void, undefined> {
  let piece = "";
  for (const chunk of chunks) {
    piece += chunk;
    if (chunk !== "" && piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

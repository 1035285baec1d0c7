import { createHash } from "node:crypto";
import { type Census, JsonCensus } from "./json-census.ts";
import { sha256 } from "./sha256.ts";
import { inSlices } from "./slices.ts";
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

/** The bytes of the text; null where the frame does not hold what is said of it. */
export const unpackedJson = ({ frame, sha256: digest, sizeBytes }: PackedJson): Buffer | null => {
  // In one piece, which then need not be put together.
  const inner = inflated(frame, { bytesMax: sizeBytes, chunkBytes: sizeBytes + ROOM_BYTES });
  const isIt = inner.ok && inner.readBytes === frame.length && sha256(inner.bytes) === digest;
  return isIt && inner.bytes.length === sizeBytes ? inner.bytes : null;
};

/** What was packed, and how much there is in it. */
export type Packing = { readonly packed: PackedJson; readonly census: Census };

/**
 * Packs a text that comes in chunks, which end between characters. It is never held as a whole;
 * other work goes on meanwhile, and the compressing is done on another thread. What comes out
 * depends on the chunks and not on how long anything takes.
 */
export const packedBeside = async (chunks: Iterable<string>): Promise<Packing> => {
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
    for await (const slice of inSlices(looked())) yield* slice;
  }
  const frame = await deflatedBeside(inTurns());
  return { packed: { frame, sha256: digest.digest("hex"), sizeBytes }, census: census.found };
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

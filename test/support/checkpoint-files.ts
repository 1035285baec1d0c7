import { hash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** All that a checkpoint file holds, its state among the rest. */
export type CheckpointDocument = { [field: string]: unknown };

type Unpacked = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

/** What is in each of the zstd frames behind the first line of a file. */
export const framesIn = (file: Buffer): readonly string[] => {
  const texts: string[] = [];
  for (let rest = file.subarray(file.indexOf("\n") + 1); rest.length > 0; ) {
    const { buffer, engine } = zstdDecompressSync(rest, { info: true }) as unknown as Unpacked;
    texts.push(buffer.toString());
    rest = rest.subarray(engine.bytesWritten);
  }
  return texts;
};

export const checkpointDocument = (file: Buffer): CheckpointDocument => {
  const [document = "", state = "null"] = framesIn(file);
  return { ...JSON.parse(document), state: JSON.parse(state) };
};

/** A file with this behind the first line, and a digest that agrees. */
export const sealedFile = (version: number, ...frames: readonly Uint8Array[]): Buffer => {
  const all = Buffer.concat(frames);
  const line = `catallaxy-checkpoint ${version} ${hash("sha256", all)}\n`;
  return Buffer.concat([Buffer.from(line), all]);
};

/** A forged file: the document with a correct digest. */
export const checkpointFileOf = (document: CheckpointDocument, version: number): Buffer => {
  const { state, ...head } = document;
  const text = JSON.stringify(state) ?? "";
  const parts = [`${JSON.stringify({ ...head, state_bytes: Buffer.byteLength(text) })}\n`, text];
  return sealedFile(version, ...parts.map((part) => zstdCompressSync(part)));
};

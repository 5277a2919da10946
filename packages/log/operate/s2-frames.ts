/**
 * S2, in which nats-server packs snapshots: Snappy's framing format with a copy that repeats the last offset. Node has none of
 * it. Reading takes packed and plain frames; written are plain ones, which every reader takes.
 */

const identifier = Buffer.from("\xff\x06\x00\x00S2sTwO", "latin1");
const frameHeadBytes = 4;
const checksumBytes = 4;
const frames = { packed: 0x00, plain: 0x01, firstSkipped: 0x80 };
/** What a writer of nats-server's puts into one is at most so large. */
const blockBytesMax = 4 * 1024 * 1024;
/** A frame is sent as one message, which must be smaller than the servers' `max_payload`. */
const plainBytesMax = 192 * 1024;

const damaged = () => new Error("the snapshot is no S2 stream, or damaged");

/** The blocks of an S2 stream, of any cut. Throws when it is none, is cut short, or a checksum is wrong. */
export async function* unpackFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      if (rest.length < at + frameHeadBytes) break;
      const end = at + frameHeadBytes + rest.readUIntLE(at + 1, 3);
      if (rest.length < end) break;
      const block = unpackFrame(rest[at]!, rest.subarray(at + frameHeadBytes, end));
      if (block !== undefined) yield block;
      at = end;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw damaged();
}

function unpackFrame(kind: number, body: Buffer): Buffer | undefined {
  if (kind >= frames.firstSkipped) return undefined;
  if (kind > frames.plain || body.length < checksumBytes) throw damaged();
  const packed = body.subarray(checksumBytes);
  const block = kind === frames.plain ? packed : unpackBlock(packed);
  if (maskedChecksum(block) !== body.readUInt32LE(0)) throw damaged();
  return block;
}

/** Frames, each of which can be sent as one message. */
export async function* packFrames(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = identifier;
  for await (const block of blocks)
    for (let at = 0; at < block.length; at += plainBytesMax) {
      const part = block.subarray(at, at + plainBytesMax);
      const frame = Buffer.alloc(frameHeadBytes + checksumBytes);
      frame[0] = frames.plain;
      frame.writeUIntLE(checksumBytes + part.length, 1, 3);
      frame.writeUInt32LE(maskedChecksum(part), frameHeadBytes);
      yield Buffer.concat([head, frame, part]);
      head = Buffer.alloc(0);
    }
}

interface Element {
  /** Where it ends in the packed bytes, without a literal's own. */
  readonly end: number;
  readonly length: number;
  /** How far back what is copied stands; undefined of a literal, whose bytes follow. */
  readonly offset: number | undefined;
}

function unpackBlock(packed: Buffer): Buffer {
  const size = readUvarint(packed, 0);
  if (size === undefined || size.value > blockBytesMax) throw damaged();
  const block = Buffer.allocUnsafe(size.value);
  let filled = 0;
  let lastOffset = 0;
  for (let at = size.end; at < packed.length; ) {
    const { end, length, offset } = readElement(packed, at, lastOffset);
    if (filled + length > block.length) throw damaged();
    if (offset === undefined) {
      if (end + length > packed.length) throw damaged();
      packed.copy(block, filled, end, end + length);
      at = end + length;
    } else {
      if (offset === 0 || offset > filled) throw damaged();
      copyBack(block, filled, offset, length);
      lastOffset = offset;
      at = end;
    }
    filled += length;
  }
  if (filled !== block.length) throw damaged();
  return block;
}

/** What is copied may overlap what it is copied to, and then repeats. */
function copyBack(block: Buffer, to: number, offset: number, length: number): void {
  if (offset >= length) block.copy(block, to, to - offset, to - offset + length);
  else for (let index = to; index < to + length; index++) block[index] = block[index - offset]!;
}

function readElement(packed: Buffer, at: number, lastOffset: number): Element {
  const tag = packed[at]!;
  const rest = tag >> 2;
  const number = (from: number, bytes: number) => {
    if (from + bytes > packed.length) throw damaged();
    return packed.readUIntLE(from, bytes);
  };
  switch (tag & 3) {
    case 0: {
      const bytes = rest < 60 ? 0 : rest - 59;
      const length = (bytes === 0 ? rest : number(at + 1, bytes)) + 1;
      return { end: at + 1 + bytes, length, offset: undefined };
    }
    case 1: {
      const offset = ((tag & 0xe0) << 3) | number(at + 1, 1);
      const short = rest & 7;
      if (offset !== 0) return { end: at + 2, length: short + 4, offset };
      // The last offset again: short lengths as they are, longer ones in one to three bytes.
      const bytes = Math.max(0, short - 4);
      const before = [0, 4, 0x100, 0x10000][bytes]!;
      const length = bytes === 0 ? short + 4 : number(at + 2, bytes) + before + 4;
      return { end: at + 2 + bytes, length, offset: lastOffset };
    }
    case 2:
      return { end: at + 3, length: rest + 1, offset: number(at + 1, 2) };
    default:
      return { end: at + 5, length: rest + 1, offset: number(at + 1, 4) };
  }
}

/** undefined when the bytes end within it. */
export function readUvarint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = at, factor = 1; index < bytes.length; index++, factor *= 128) {
    const byte = bytes[index]!;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, end: index + 1 };
  }
  return undefined;
}

/** CRC-32C, by Castagnoli's polynomial; Node has the other one. */
const crcTable = Uint32Array.from({ length: 256 }, (_none, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

function maskedChecksum(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (let index = 0; index < bytes.length; index++) crc = crcTable[(crc ^ bytes[index]!) & 255]! ^ (crc >>> 8);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/**
 * Gives the messages of a snapshot the ages that they had when it was taken. nats-server 2.15 leaves out of a restored stream
 * what has outlived its `Nats-TTL` since, also where the stream knows no such thing: copies keep the header of the outbox
 * message that they were copied from (`stream_backup.go`). So of a backup older than an hour no ready message, no event and no
 * ledger entry would be restored, and what a copy lacked when it was taken would be gone from the state stream too.
 */
import type { StreamConfig } from "@nats-io/jetstream";
import { packFrames, readUvarint, unpackFrames } from "./s2-frames.ts";

/** What the server's archives begin with (`server/archive/archive.go`). Older servers made tar files. */
const magic = Buffer.from("NATSARC1");
const ttlHeader = /^Nats-TTL:[^\r]*\r\n/im;
const isAnnouncement = /^ps\.[^.]+\.(?:ready|event|ledger)\./;

interface Entry {
  readonly end: number;
  readonly name: string;
  readonly timestamp: bigint;
  /** 0: not a message, but the stream's state or a consumer's, or the mark at the end. */
  readonly sequence: number;
  readonly headers: Buffer;
  readonly payload: Buffer;
}

type Change = (entry: Entry) => Partial<Pick<Entry, "timestamp" | "headers">> | undefined;

/** The chunks of a snapshot of this stream, as if it had been taken `ageMs` later than it was. */
export async function* withAgesOfSnapshot(
  config: Pick<StreamConfig, "sources" | "max_age">,
  ageMs: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* packFrames(changeEntries(unpackFrames(chunks), changeFor(config, BigInt(ageMs) * 1_000_000n)));
}

function changeFor({ sources = [], max_age: maxAge }: Pick<StreamConfig, "sources" | "max_age">, age: bigint): Change {
  if (sources.length === 0)
    return ({ name, timestamp }) => (isAnnouncement.test(name) ? { timestamp: timestamp + age } : undefined);
  return ({ timestamp, headers }) => ({
    headers: Buffer.from(headers.toString("latin1").replace(ttlHeader, ""), "latin1"),
    // Those without an age limit keep the time at which they were stored: it is the ledger's.
    ...(maxAge > 0 && { timestamp: timestamp + age }),
  });
}

async function* changeEntries(blocks: AsyncIterable<Buffer>, change: Change): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let hasBegun = false;
  for await (const block of blocks) {
    rest = Buffer.concat([rest, block]);
    const parts: Buffer[] = [];
    if (!hasBegun) {
      if (rest.length < magic.length) continue;
      if (!rest.subarray(0, magic.length).equals(magic))
        throw new Error(
          "the snapshot was made by a nats-server before 2.15: restore it with the packshot that made it",
        );
      parts.push(magic);
      rest = rest.subarray(magic.length);
      hasBegun = true;
    }
    let at = 0;
    for (let entry = readEntry(rest, at); entry !== undefined; entry = readEntry(rest, at)) {
      const changed = entry.sequence === 0 ? undefined : change(entry);
      parts.push(changed === undefined ? rest.subarray(at, entry.end) : formatEntry({ ...entry, ...changed }));
      at = entry.end;
    }
    rest = rest.subarray(at);
    yield Buffer.concat(parts);
  }
  if (rest.length > 0 || !hasBegun) throw new Error("the snapshot is cut short");
}

/** undefined when the bytes end within it. */
function readEntry(bytes: Buffer, at: number): Entry | undefined {
  const nameBytes = readUvarint(bytes, at);
  const timestamp = nameBytes && readVarint(bytes, nameBytes.end);
  const sequence = timestamp && readUvarint(bytes, timestamp.end);
  const headerBytes = sequence && readUvarint(bytes, sequence.end);
  const payloadBytes = headerBytes && readUvarint(bytes, headerBytes.end);
  if (payloadBytes === undefined) return undefined;
  const headersAt = payloadBytes.end + nameBytes!.value;
  const payloadAt = headersAt + headerBytes!.value;
  const end = payloadAt + payloadBytes.value;
  if (end > bytes.length) return undefined;
  return {
    end,
    name: bytes.toString("utf8", payloadBytes.end, headersAt),
    timestamp: timestamp!.value,
    sequence: sequence!.value,
    headers: bytes.subarray(headersAt, payloadAt),
    payload: bytes.subarray(payloadAt, end),
  };
}

function formatEntry({ name, timestamp, sequence, headers, payload }: Entry): Buffer {
  const nameBytes = Buffer.from(name);
  return Buffer.concat([
    uvarint(BigInt(nameBytes.length)),
    uvarint(BigInt.asUintN(64, (timestamp << 1n) ^ (timestamp >> 63n))),
    uvarint(BigInt(sequence)),
    uvarint(BigInt(headers.length)),
    uvarint(BigInt(payload.length)),
    nameBytes,
    headers,
    payload,
  ]);
}

/** Nanoseconds are more than a number holds. */
function readVarint(bytes: Buffer, at: number): { readonly value: bigint; readonly end: number } | undefined {
  let zigzag = 0n;
  for (let index = at, shift = 0n; index < bytes.length; index++, shift += 7n) {
    const byte = bytes[index]!;
    zigzag |= BigInt(byte & 127) << shift;
    if (byte < 128) return { value: (zigzag >> 1n) ^ -(zigzag & 1n), end: index + 1 };
  }
  return undefined;
}

function uvarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  bytes.push(Number(left));
  return Buffer.from(bytes);
}

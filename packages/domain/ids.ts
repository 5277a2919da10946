/** Ids are UUIDv7 (RFC 9562): unique without coordination, and sorted by creation time. */

/** Random bytes for many ids are drawn at once, because drawing them costs more than everything else here. */
const pool = new Uint8Array(16 * 256);
let poolOffset = pool.length;
const hexByByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function uuidv7(nowMs: number = Date.now()): string {
  if (poolOffset === pool.length) {
    crypto.getRandomValues(pool);
    poolOffset = 0;
  }
  const bytes = pool.subarray(poolOffset, poolOffset + 16);
  poolOffset += 16;
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(nowMs / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  let id = "";
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) id += "-";
    id += hexByByte[bytes[i]!];
  }
  return id;
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids from outside become subject tokens and file paths, so only a lower-case UUID is valid. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuidShape.test(value);
}

/** When a UUIDv7 was created, in milliseconds since the epoch. */
export function uuidv7TimeMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * An account's shard stands in the subjects of all its records. Shards are the parts of the log that can lie in different
 * streams, and later on different servers, without a record changing its name. All that one compare-and-set or one
 * atomic batch needs to hold together belongs to one account, and so to one shard.
 */
const shardCount = 16;

export const shards: readonly string[] = Array.from({ length: shardCount }, (_, index) =>
  String(index).padStart(2, "0"),
);

/**
 * `00` to `15`; `*` for `*`, which stands for any account. FNV-1a of the id, its bits folded to four: fixed for ever,
 * because the records in the log were named by it.
 */
export function shardOf(accountId: string): string {
  if (accountId === "*") return "*";
  let hash = 0x811c9dc5;
  for (let i = 0; i < accountId.length; i++) hash = Math.imul(hash ^ accountId.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  hash ^= hash >>> 8;
  hash ^= hash >>> 4;
  return shards[hash & (shardCount - 1)]!;
}

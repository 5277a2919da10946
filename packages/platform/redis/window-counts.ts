/**
 * Counts in windows of time, together with all processes that have the same Redis. While Redis does not answer, a process
 * counts on alone from what it knows, and adds what it counted as soon as Redis is back. A Redis that comes back empty is
 * told what was known. Exact but for commands that got no answer: Redis may have counted them or not.
 */
import { randomUUID } from "node:crypto";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { ExpiringMap } from "../flow/expiring-map.ts";
import type { Redis } from "./redis.ts";
import { RedisAway } from "./redis-metrics.ts";

/** The limiter only counts: limits differ between accounts and change, so callers compare. */
const counting = { points: Number.MAX_SAFE_INTEGER, duration: 24 * 3600 };
const keyPrefix = "counts:";
/** Sent at once when Redis is back. */
const settledAtOnceMax = 50;

export interface WindowTotal {
  readonly total: number;
  /** When the window ends and the next one begins at zero. */
  readonly endsInMs: number;
}

export interface WindowCounts {
  /** Counts `more`, or none to read. A window begins with its first count. */
  add(key: string, more: number, windowSeconds: number): Promise<WindowTotal>;
}

export function createWindowCounts(redis: Redis | undefined): WindowCounts {
  return redis === undefined ? memoryCounts() : sharedCounts(redis);
}

function memoryCounts(): WindowCounts {
  const limiter = new RateLimiterMemory(counting);
  return {
    async add(key, more, windowSeconds) {
      const found =
        more === 0 ? await limiter.get(key) : await limiter.consume(key, more, { customDuration: windowSeconds });
      return { total: found?.consumedPoints ?? 0, endsInMs: found?.msBeforeNext ?? windowSeconds * 1000 };
    },
  };
}

/**
 * A window is a hash: its life (an id that is made with it), what was `added`, and what was counted `before` in a life that
 * Redis has lost. Whoever knows that life raises `before` to what it knows of it; in which order they come, and who counts
 * in between, makes no difference. A window that nobody counts in is not made by reading it.
 *
 * ARGV: more, seconds, known, the life that is known, the id of a life that begins.
 */
export const countScript = `
  local life = redis.call('hget', KEYS[1], 'life')
  if not life then
    if ARGV[1] == '0' and ARGV[3] == '0' then return {0, 0, ''} end
    life = ARGV[5]
    redis.call('hset', KEYS[1], 'life', life, 'added', 0, 'before', ARGV[3])
    redis.call('expire', KEYS[1], ARGV[2])
  elseif life ~= ARGV[4] and tonumber(redis.call('hget', KEYS[1], 'before')) < tonumber(ARGV[3]) then
    redis.call('hset', KEYS[1], 'before', ARGV[3])
  end
  local added = redis.call('hincrby', KEYS[1], 'added', ARGV[1])
  return {added + tonumber(redis.call('hget', KEYS[1], 'before')), redis.call('pttl', KEYS[1]), life}`;

/** What this process knows of one window. */
interface KnownCount {
  /** The highest total that Redis told, and what may have been counted there without an answer. */
  known: number;
  /** Counted here alone, and certainly not in Redis. */
  owed: number;
  /** The life that the last answer named; an emptied Redis begins another one. */
  life: string;
  connection: number;
  endsAtMs: number;
}

function sharedCounts(redis: Redis): WindowCounts {
  const hasEnded = ({ endsAtMs }: KnownCount) => endsAtMs <= performance.now();
  const counts = new ExpiringMap<KnownCount>(hasEnded);

  function findCount(key: string): KnownCount | undefined {
    const found = counts.get(key);
    return found === undefined || hasEnded(found) ? undefined : found;
  }

  function newCount(windowSeconds: number): KnownCount {
    const endsAtMs = performance.now() + windowSeconds * 1000;
    return { known: 0, owed: 0, life: "", connection: redis.connectionNumber(), endsAtMs };
  }

  function beginCount(key: string, windowSeconds: number): KnownCount {
    const count = newCount(windowSeconds);
    counts.set(key, count);
    return count;
  }

  function isUnsettled(key: string): boolean {
    const count = findCount(key);
    return count !== undefined && (count.owed > 0 || count.connection !== redis.connectionNumber());
  }

  async function send(key: string, { known, life, connection, endsAtMs }: KnownCount, more: number) {
    const restSeconds = Math.max(1, Math.ceil((endsAtMs - performance.now()) / 1000));
    // On one connection Redis loses nothing: a window that is not there has ended.
    const lost = life === "" || connection === redis.connectionNumber() ? 0 : known;
    const given = [more, restSeconds, lost, life, randomUUID()].map(String);
    return (await redis.client.eval(countScript, { keys: [keyPrefix + key], arguments: given })) as [
      number,
      number,
      string,
    ];
  }

  async function addTo(key: string, count: KnownCount, more: number): Promise<WindowTotal> {
    const connection = redis.connectionNumber();
    const sent = more + count.owed;
    count.owed = 0;
    try {
      const [total, endsInMs, life] = await redis.call(() => send(key, count, sent));
      const isNextWindow = count.connection === connection && count.life !== "" && count.life !== life;
      count.known = isNextWindow ? total : Math.max(count.known + sent, total);
      count.life = life;
      count.connection = connection;
      if (life !== "") count.endsAtMs = performance.now() + endsInMs;
    } catch (error) {
      if (error instanceof RedisAway && error.mayHaveRun) count.known += sent;
      else count.owed += sent;
    }
    return { total: count.known + count.owed, endsInMs: Math.max(0, count.endsAtMs - performance.now()) };
  }

  /** Without it other processes would learn only with the next request what was counted here alone. */
  async function settle(): Promise<void> {
    const unsettled = [...counts.keys()].filter(isUnsettled);
    for (let from = 0; from < unsettled.length; from += settledAtOnceMax) {
      const some = unsettled.slice(from, from + settledAtOnceMax);
      await Promise.all(some.map((key) => addTo(key, findCount(key) ?? newCount(1), 0)));
    }
  }
  redis.onBack(() => void settle());

  return {
    add(key, more, windowSeconds) {
      const count = findCount(key) ?? (more === 0 ? newCount(windowSeconds) : beginCount(key, windowSeconds));
      return addTo(key, count, more);
    },
  };
}

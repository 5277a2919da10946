/**
 * Contested keys: records that others write again and again, so that a compare-and-set on them mostly fails. Whoever
 * commits many records together commits these apart, so that their conflicts hold up nobody else.
 */
const conflictsMin = 3;
const conflictWindowMs = 5_000;
const keysMax = 10_000;

export interface ContestedKeys {
  /** Another writer was first. */
  recordConflict(key: string): void;
  isContested(key: string): boolean;
}

export function createContestedKeys({ nowMs }: { nowMs: () => number }): ContestedKeys {
  /** Times of each key's last conflicts; the key of the latest conflict stands last. */
  const conflictTimesMs = new Map<string, readonly number[]>();
  return {
    recordConflict(key) {
      const timesMs = [...(conflictTimesMs.get(key) ?? []), nowMs()].slice(-conflictsMin);
      conflictTimesMs.delete(key);
      conflictTimesMs.set(key, timesMs);
      if (conflictTimesMs.size > keysMax) conflictTimesMs.delete(conflictTimesMs.keys().next().value!);
    },
    isContested(key) {
      const oldestMs = conflictTimesMs.get(key)?.at(-conflictsMin);
      return oldestMs !== undefined && oldestMs > nowMs() - conflictWindowMs;
    },
  };
}

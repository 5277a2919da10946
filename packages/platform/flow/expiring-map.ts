const sweepSizeMin = 1_000;

/** A map that does not grow by what has expired: entries that nobody reads again would stay in a plain one. */
export class ExpiringMap<V> extends Map<string, V> {
  private readonly isExpired: (value: V) => boolean;
  private readonly sizeMax: number;
  private sweepSize = sweepSizeMin;

  /** @param sizeMax the entries that were set first make room for further ones */
  constructor(isExpired: (value: V) => boolean, sizeMax = Number.POSITIVE_INFINITY) {
    super();
    this.isExpired = isExpired;
    this.sizeMax = sizeMax;
  }

  override set(key: string, value: V): this {
    // What is set anew counts as new.
    super.delete(key);
    super.set(key, value);
    if (this.size >= this.sweepSize) {
      for (const [name, each] of this) if (this.isExpired(each)) this.delete(name);
      // Doubling keeps the cost of sweeps per entry constant, however many entries there are.
      this.sweepSize = Math.max(sweepSizeMin, 2 * this.size);
    }
    while (this.size > this.sizeMax) this.delete(this.keys().next().value!);
    return this;
  }
}

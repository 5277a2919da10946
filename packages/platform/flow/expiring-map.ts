const sweepSizeMin = 1_000;

/** A map that does not grow by what has expired: entries that nobody reads again would stay in a plain one. */
export class ExpiringMap<V> extends Map<string, V> {
  private readonly isExpired: (value: V) => boolean;
  private sweepSize = sweepSizeMin;

  constructor(isExpired: (value: V) => boolean) {
    super();
    this.isExpired = isExpired;
  }

  override set(key: string, value: V): this {
    super.set(key, value);
    if (this.size >= this.sweepSize) {
      for (const [name, each] of this) if (this.isExpired(each)) this.delete(name);
      // Doubling keeps the cost of sweeps per entry constant, however many entries there are.
      this.sweepSize = Math.max(sweepSizeMin, 2 * this.size);
    }
    return this;
  }
}

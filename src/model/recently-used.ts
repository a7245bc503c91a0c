/** A cache of values by text. If it is full, the value that was not used for the longest time is dropped. */
export class RecentlyUsed<Value> {
  private readonly values = new Map<string, Value>();

  public constructor(private readonly size: number) {}

  /** @param compute the value, if the cache does not have it */
  public get(key: string, compute: () => Value): Value {
    const known = this.values.get(key);
    const value = known === undefined ? compute() : known;
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.size) this.values.delete(this.values.keys().next().value as string);
    return value;
  }
}

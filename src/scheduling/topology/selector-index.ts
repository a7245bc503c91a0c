import { LabelSelector } from '../../model';

/**
 * Finds the label selectors that may select a pod. There may be hundreds of selectors; each is indexed by the first
 * label that it requires by value.
 */
export class SelectorIndex {
  private readonly byLabel = new Map<string, number[]>();
  /** Selectors that require no label by value. */
  private readonly withoutLabel: number[] = [];

  public add(number: number, selector: LabelSelector | undefined): void {
    const [label] = Object.entries(selector?.matchLabels ?? {});
    if (label === undefined) {
      this.withoutLabel.push(number);
      return;
    }
    const numbers = this.byLabel.get(keyOf(label));
    if (numbers) numbers.push(number);
    else this.byLabel.set(keyOf(label), [number]);
  }

  /** The numbers of all selectors that may select a pod with these labels, ascending. */
  public of(labels: Readonly<Record<string, string>>): number[] {
    const byLabel = Object.entries(labels).flatMap((label) => this.byLabel.get(keyOf(label)) ?? []);
    return [...this.withoutLabel, ...byLabel].sort((left, right) => left - right);
  }
}

function keyOf(label: readonly [string, unknown]): string {
  return JSON.stringify(label);
}

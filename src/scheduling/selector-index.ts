import { LabelSelector } from '../model';

/** Selectors by a label that they ask for: of hundreds, a pod has to be held against those few that ask for one of its own. */
export class SelectorIndex {
  private readonly byLabel = new Map<string, number[]>();
  /** Those that ask for no label by its value. */
  private readonly others: number[] = [];

  public add(number: number, selector: LabelSelector | undefined): void {
    const [label] = Object.entries(selector?.matchLabels ?? {});
    if (label === undefined) {
      this.others.push(number);
      return;
    }
    const alike = this.byLabel.get(keyOf(label));
    if (alike) alike.push(number);
    else this.byLabel.set(keyOf(label), [number]);
  }

  /** The numbers of all that may select a pod with these labels, in ascending order. */
  public of(labels: Readonly<Record<string, string>>): number[] {
    const found = Object.entries(labels).flatMap((label) => this.byLabel.get(keyOf(label)) ?? []);
    return [...this.others, ...found].sort((one, other) => one - other);
  }
}

function keyOf(label: readonly [string, unknown]): string {
  return JSON.stringify(label);
}

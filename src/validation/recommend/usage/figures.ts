/** The two resources whose usage is read. */
export type UsageResource = 'cpu' | 'memory';

/** Millicores of CPU, bytes of memory. */
export type UsageAmount = number;

/** A usage or an advised request of one container, as a file states it. */
export interface UsageFigure {
  readonly namespace: string;
  /** The kind is absent if the file does not state it. @default - the file names a pod */
  readonly workload?: { readonly kind?: string; readonly name: string };
  /** @default - the file names a workload */
  readonly pod?: string;
  readonly container: string;
  readonly resource: UsageResource;
  readonly source: 'VPA' | 'KRR' | 'measured';
  /** An advised request, or the measured usage that the request is made of. */
  readonly amount: UsageAmount;
  /** The peak and the 99th percentile of measured memory. @default - the amount is the only measured value */
  readonly peak?: UsageAmount;
  readonly p99?: UsageAmount;
  /** Where the figure is written: `vpa.yaml:12`. */
  readonly at: string;
}

/** A part of a usage file that is not used, or used with a reservation. */
export interface UsageNote {
  readonly message: string;
  /** Where it is written: `vpa.yaml:12`. Sorted by file order. */
  readonly places: readonly string[];
}

/** Usage files as they are read. */
export interface Usage {
  readonly figures: readonly UsageFigure[];
  readonly notes: readonly UsageNote[];
}

/** Collects figures and notes. Notes of one message are one note. */
export class UsageLog {
  public readonly figures: UsageFigure[] = [];
  private readonly placesByMessage = new Map<string, string[]>();

  public note(message: string, at: string): void {
    const places = this.placesByMessage.get(message) ?? [];
    if (!places.includes(at)) places.push(at);
    this.placesByMessage.set(message, places);
  }

  /** Adds the figure if its amount can be true, and a note if not. */
  public add(figure: UsageFigure): void {
    const problem = problemOf(figure);
    if (problem === undefined) this.figures.push({ ...figure, amount: Math.ceil(figure.amount) });
    else this.note(`${problem}: not used`, figure.at);
  }

  get notes(): UsageNote[] {
    return [...this.placesByMessage].map(([message, places]) => ({ message, places }));
  }
}

const MIB = 2 ** 20;
/** No instance type has more: 1,920 CPUs and 32 TiB. */
const MOST: Readonly<Record<UsageResource, UsageAmount>> = { cpu: 2_000_000, memory: 32 * 2 ** 40 };

/** Why the amount cannot be a usage of the container. */
function problemOf({ resource, amount }: UsageFigure): string | undefined {
  const name = resource === 'cpu' ? 'CPU' : 'memory';
  if (!Number.isFinite(amount)) return `the ${name} figure is not a finite number`;
  if (amount < 0) return `the ${name} figure is negative`;
  if (amount > MOST[resource])
    return resource === 'cpu'
      ? 'the CPU figure is above 2,000 CPUs, more than any instance type has; the unit is cores'
      : 'the memory figure is above 32 TiB, more than any instance type has; the unit is bytes';
  if (resource === 'memory' && amount < MIB)
    return 'the memory figure is below 1 MiB, which no container runs with; the unit is bytes';
  return undefined;
}

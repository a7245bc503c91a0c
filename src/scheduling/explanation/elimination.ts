import { Requirements } from '../../model';
import { Elimination } from '../schedule-plan';
import { PoolTemplate } from '../templates';
import { admission, compatibleOfferings, isOffered } from '../type-filter';

/** Instance types, fewer with each constraint, and how many each has left. */
export class Funnel {
  public readonly steps: Elimination[] = [];

  /** @param types indices into the table */
  constructor(constraint: string, public types: readonly number[]) {
    this.steps.push({ constraint, left: types.length });
  }

  narrow(constraint: string, keeps: (type: number) => boolean): void {
    this.types = this.types.filter(keeps);
    this.steps.push({ constraint, left: this.types.length });
  }

  /** None is left, whatever its properties. */
  end(constraint: string): void {
    this.narrow(constraint, () => false);
  }

  /** Of the types together a label has too few values. */
  endByMinValues({ key, minimum, values }: { readonly key: string; readonly minimum: number; readonly values: readonly string[] }): void {
    this.end(`minValues ${minimum} of ${key}, which has ${values.length}`);
  }

  copy(): Funnel {
    const copy = new Funnel('', this.types);
    copy.steps.splice(0, 1, ...this.steps);
    return copy;
  }

  get isEmpty(): boolean {
    return this.types.length === 0;
  }
}

/** How many of the catalogue's types are left after each requirement of the pool, in the order in which they are written. */
export function poolFunnel(template: PoolTemplate): Funnel {
  const found = POOL_FUNNELS.get(template) ?? newPoolFunnel(template);
  POOL_FUNNELS.set(template, found);
  return found.copy();
}

/** Each pod that a pool refuses begins with the same. */
const POOL_FUNNELS = new WeakMap<PoolTemplate, Funnel>();

function newPoolFunnel({ pool, table, requirements }: PoolTemplate): Funnel {
  const funnel = new Funnel('catalogue', table.names.map((_, type) => type));
  for (const spec of pool.requirements) {
    const [requirement] = Requirements.from([spec]).values();
    const column = table.labels.find((label) => label.key === requirement.key);
    if (column) funnel.narrow(String(requirement), admission(column, requirement));
  }
  for (const [key, value] of Object.entries(pool.labels).sort(([a], [b]) => a < b ? -1 : 1)) {
    const column = table.labels.find((label) => label.key === key);
    if (column) funnel.narrow(`label ${key}=${value}`, admission(column, requirements.get(key)));
  }
  const planes = compatibleOfferings(table, requirements);
  funnel.narrow('an available offering', (type) => isOffered(planes, type));
  funnel.narrow('allocatable left for pods', (type) => table.allocatable.every((column) => column[type] >= 0));
  return funnel;
}

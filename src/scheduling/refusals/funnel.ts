import { writtenText } from './wording';
import { memoizeByIdentity, Requirements } from '../../model';
import { PoolTemplate } from '../launch/pool-template';
import { admission, compatibleOfferings, isOffered } from '../launch/type-filter';
import { Elimination } from '../schedule-plan';

/** Instance types that are narrowed by constraints, with the number of types left after each constraint. */
export class Funnel {
  public readonly steps: Elimination[] = [];

  /** @param types indices into the table */
  constructor(
    constraint: string,
    public types: readonly number[],
  ) {
    this.steps.push({ constraint, left: types.length });
  }

  narrow(constraint: string, keeps: (type: number) => boolean): void {
    this.types = this.types.filter(keeps);
    this.steps.push({ constraint, left: this.types.length });
  }

  /** Removes all types. */
  end(constraint: string): void {
    this.narrow(constraint, () => false);
  }

  /** Removes all types, because they do not meet minValues of a label. */
  endByMinValues({
    key,
    minimum,
    values,
  }: {
    readonly key: string;
    readonly minimum: number;
    readonly values: readonly string[];
  }): void {
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

/** The number of types left after each requirement of the pool, in written order, starting with the whole catalog. */
export function poolFunnel(template: PoolTemplate): Funnel {
  return sharedPoolFunnel(template).copy();
}

/** Every pod that a pool refuses starts with the same funnel. */
const sharedPoolFunnel = memoizeByIdentity((template: PoolTemplate): Funnel => newPoolFunnel(template));

function newPoolFunnel({ pool, table, requirements }: PoolTemplate): Funnel {
  const funnel = new Funnel(
    'all instance types',
    table.names.map((_, type) => type),
  );
  for (const spec of pool.requirements) {
    const [requirement] = Requirements.from([spec]).values();
    const column = table.labels.find((label) => label.key === requirement.key);
    if (column) funnel.narrow(writtenText(spec), admission(column, requirement));
  }
  for (const [key, value] of Object.entries(pool.labels).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const column = table.labels.find((label) => label.key === key);
    if (column) funnel.narrow(`label ${key}=${value}`, admission(column, requirements.get(key)));
  }
  const planes = compatibleOfferings(table, requirements);
  funnel.narrow('an available offering', (type) => isOffered(planes, type));
  funnel.narrow('allocatable left for pods', (type) => table.allocatable.every((column) => column[type] >= 0));
  return funnel;
}

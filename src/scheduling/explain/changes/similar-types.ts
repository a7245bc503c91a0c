import { Label } from '../../../model';
import { PoolTemplate } from '../../launch/pool-template';

type Table = PoolTemplate['table'];

/** Families from before 2017 are cheap, but many zones no longer have them. */
const MODERN_GENERATION = 5;
/** Labels by which a NodePool chooses the kind of its instances. */
const KIND_LABELS = [Label.INSTANCE_CATEGORY, Label.INSTANCE_FAMILY, Label.INSTANCE_TYPE];
const ACCELERATOR_LABELS = [Label.INSTANCE_GPU_COUNT, Label.INSTANCE_ACCELERATOR_COUNT];

/**
 * The types that are most like those of the NodePool: of an architecture that it has, because images may have no other,
 * without accelerators that it does not have now, of a category that it has, and of a recent generation, in this order
 * of importance.
 */
export function mostSimilar(
  { table, requirements }: Pick<PoolTemplate, 'table' | 'requirements'>,
  types: readonly number[],
): readonly number[] {
  const own = table.names
    .map((_, type) => type)
    .filter((type) =>
      KIND_LABELS.every((key) => {
        const value = labelOf(table, key, type);
        return value === undefined || requirements.get(key).has(value);
      }),
    );
  const categories = new Set(own.map((type) => labelOf(table, Label.INSTANCE_CATEGORY, type)));
  const architectures = new Set(own.map((type) => labelOf(table, Label.ARCH, type)));
  const hasAccelerators = own.some((type) => isAccelerated(table, type));
  const differenceOf = (type: number) =>
    1000 * Number(architectures.size > 0 && !architectures.has(labelOf(table, Label.ARCH, type))) +
    100 * Number(!hasAccelerators && isAccelerated(table, type)) +
    10 * Number(!categories.has(labelOf(table, Label.INSTANCE_CATEGORY, type))) +
    missingGenerations(table, type);
  const least = types.reduce((smallest, type) => Math.min(smallest, differenceOf(type)), Infinity);
  return types.filter((type) => differenceOf(type) === least);
}

function missingGenerations(table: Table, type: number): number {
  return Math.max(0, MODERN_GENERATION - Number(labelOf(table, Label.INSTANCE_GENERATION, type) ?? 0));
}

function isAccelerated(table: Table, type: number): boolean {
  return ACCELERATOR_LABELS.some((key) => labelOf(table, key, type) !== undefined);
}

function labelOf({ labels }: Table, key: string, type: number): string | undefined {
  const column = labels.find((label) => label.key === key);
  return column === undefined || column.codes[type] < 0 ? undefined : column.values[column.codes[type]];
}

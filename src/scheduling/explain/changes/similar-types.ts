import { Label } from '../../../model';
import { PoolTemplate } from '../../launch/pool-template';
import { isAccelerated, typeLabel } from '../../refusals/devices';

type Table = PoolTemplate['table'];

/** Families from before 2017 are cheap, but many zones no longer have them. */
const MODERN_GENERATION = 5;
/** Labels by which a NodePool chooses the kind of its instances. */
const KIND_LABELS = [Label.INSTANCE_CATEGORY, Label.INSTANCE_FAMILY, Label.INSTANCE_TYPE];

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
        const value = typeLabel(table, key, type);
        return value === undefined || requirements.get(key).has(value);
      }),
    );
  const categories = new Set(own.map((type) => typeLabel(table, Label.INSTANCE_CATEGORY, type)));
  const architectures = new Set(own.map((type) => typeLabel(table, Label.ARCH, type)));
  const hasAccelerators = own.some((type) => isAccelerated(table, type));
  const differenceOf = (type: number) =>
    1000 * Number(architectures.size > 0 && !architectures.has(typeLabel(table, Label.ARCH, type))) +
    100 * Number(!hasAccelerators && isAccelerated(table, type)) +
    10 * Number(!categories.has(typeLabel(table, Label.INSTANCE_CATEGORY, type))) +
    missingGenerations(table, type);
  const least = types.reduce((smallest, type) => Math.min(smallest, differenceOf(type)), Infinity);
  return types.filter((type) => differenceOf(type) === least);
}

function missingGenerations(table: Table, type: number): number {
  return Math.max(0, MODERN_GENERATION - Number(typeLabel(table, Label.INSTANCE_GENERATION, type) ?? 0));
}

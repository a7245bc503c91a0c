import { amounts, saturate } from './amounts';
import { encodeInstanceTypes } from './instance-type-encoder';
import { withHostname } from './node-encoder';
import { RequirementSets } from './requirement-sets';
import { startsOf } from './topology-encoder';
import { Vocabulary } from './vocabulary';
import { InstanceTypeTable } from '../../catalog';
import { amountsPerColumnUnit, Label, Requirement } from '../../model';
import { minValuesOf } from '../launch/min-values';
import { limitedResources, NODES, PoolTemplate } from '../launch/pool-template';
import { offeringLabels } from '../launch/type-filter';

const UNLIMITED = 2n ** 63n - 1n;

/** The numbering that pools are encoded with. */
export interface EncodingContext {
  readonly vocabulary: Vocabulary;
  readonly sets: RequirementSets;
  readonly resources: readonly string[];
  /** Whether a requirement of a pod or a topology group names the host name label. */
  readonly namesHosts: boolean;
}

/** The distinct tables of the templates, as numbered for the kernel, which calls them views. */
export function distinctTables(templates: readonly PoolTemplate[]): InstanceTypeTable[] {
  return [...new Set(templates.map(({ table }) => table))];
}

/**
 * Adds the label values of instance types, offerings and pool requirements. Excluded values are included, because the
 * same pools may launch them in a later query.
 */
export function addPoolValues(templates: readonly PoolTemplate[], vocabulary: Vocabulary): void {
  const tables = distinctTables(templates);
  for (const spec of templates.flatMap(({ pool }) => pool.requirements)) {
    const { key, values } = Requirement.from(spec);
    vocabulary.addValues(key, [...values]);
  }
  for (const column of tables.flatMap((table) => table.labels)) vocabulary.addValues(column.key, column.values);
  for (const plane of tables.flatMap((table) => table.offerings)) {
    vocabulary.addValues(Label.ZONE, [plane.zone]);
    vocabulary.addValues(Label.CAPACITY_TYPE, [plane.capacityType]);
  }
}

/** Numbers the requirement sets of the templates. */
export function templateSets(
  templates: readonly PoolTemplate[],
  { sets, namesHosts }: Pick<EncodingContext, 'sets' | 'namesHosts'>,
): number[] {
  return templates.map((template) => sets.number(setOf(template, namesHosts)));
}

function setOf({ requirements }: PoolTemplate, namesHosts: boolean) {
  return namesHosts ? withHostname(requirements) : requirements;
}

/** Whether the templates can be encoded with an existing numbering. */
export function canEncodePools(
  templates: readonly PoolTemplate[],
  { vocabulary, namesHosts }: EncodingContext,
): boolean {
  const isKnown = (key: string, value: string | undefined) =>
    value === undefined || !vocabulary.has(key) || vocabulary.knownValueNumber(key, value) !== undefined;
  return (
    templates.every((template) => vocabulary.holds(setOf(template, namesHosts))) &&
    distinctTables(templates).every(
      ({ labels, offerings }) =>
        labels.every(({ key, values }) => values.every((value) => isKnown(key, value))) &&
        offerings.every((plane) => offeringLabels(plane).every(([key, value]) => isKnown(key, value))),
    )
  );
}

/** Encodes the pools and the instance types that they launch. */
export function encodePools(templates: readonly PoolTemplate[], terms: EncodingContext) {
  const { vocabulary, resources } = terms;
  const tables = distinctTables(templates);
  return {
    ...encodeInstanceTypes(tables, vocabulary, vocabulary.wordStarts(), resources),
    templateCount: templates.length,
    templateView: Int32Array.from(templates, ({ table }) => tables.indexOf(table)),
    templateSet: Int32Array.from(templateSets(templates, terms)),
    ...encodeLimits(templates),
    limitCapacity: amounts(
      tables,
      limitedResources(templates),
      (table) => table.capacity,
      () => 1,
    ),
    ...encodeMinValues(templates, vocabulary),
  };
}

/** Encodes what the limits of the pools leave, in the units of the tables: thousandths of a byte would overflow. */
export function encodeLimits(templates: readonly PoolTemplate[]) {
  const limited = limitedResources(templates);
  return {
    templateNodes: BigInt64Array.from(templates, ({ limitsLeft }) => limitsLeft.get(NODES) ?? UNLIMITED),
    limitCount: limited.length,
    limitRemaining: BigInt64Array.from(
      templates.flatMap(({ limitsLeft }) =>
        limited.map((resource) => {
          const limit = limitsLeft.get(resource);
          return limit === undefined ? UNLIMITED : saturate(limit / BigInt(amountsPerColumnUnit(resource)));
        }),
      ),
    ),
  };
}

function encodeMinValues(templates: readonly PoolTemplate[], vocabulary: Vocabulary) {
  const minima = templates.map(({ requirements }) => minValuesOf(requirements));
  return {
    minValuesStart: startsOf(minima),
    minValues: Int32Array.from(minima.flat().flatMap(([key, minimum]) => [vocabulary.keyNumber(key), minimum])),
  };
}

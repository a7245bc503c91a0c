import { InstanceTypeTable } from '../catalog';
import { Label, Requirement } from '../model';
import { amounts, saturate } from './amounts';
import { minValuesOf } from './min-values';
import { withHostname } from './node-encoder';
import { RequirementSets } from './requirement-sets';
import { limitedResources, NODES, PoolTemplate } from './templates';
import { startsOf } from './topology-encoder';
import { encodeViews, offeringLabels } from './view-encoder';
import { Vocabulary } from './vocabulary';

const UNLIMITED = 2n ** 63n - 1n;

/** What pools are told in. */
export interface PoolTerms {
  readonly vocabulary: Vocabulary;
  readonly sets: RequirementSets;
  readonly resources: readonly string[];
  /** Whether pods or what they are spread over name hosts. */
  readonly namesHosts: boolean;
}

/** The tables of the templates, each once: as the kernel numbers them. */
export function viewsOf(templates: readonly PoolTemplate[]): InstanceTypeTable[] {
  return [...new Set(templates.map(({ table }) => table))];
}

/**
 * What pods can ask for beyond what they name: the values that instance types and offerings carry, and those that pools tell of, be it to
 * exclude them: the same pools may launch them in another question.
 */
export function addPoolValues(templates: readonly PoolTemplate[], vocabulary: Vocabulary): void {
  const views = viewsOf(templates);
  for (const spec of templates.flatMap(({ pool }) => pool.requirements)) {
    const { key, values } = Requirement.from(spec);
    vocabulary.addValues(key, [...values]);
  }
  for (const column of views.flatMap((view) => view.labels)) vocabulary.addValues(column.key, column.values);
  for (const plane of views.flatMap((view) => view.offerings)) {
    vocabulary.addValues(Label.ZONE, [plane.zone]);
    vocabulary.addValues(Label.CAPACITY_TYPE, [plane.capacityType]);
  }
}

/** Numbers the requirement sets of the templates. */
export function templateSets(templates: readonly PoolTemplate[], { sets, namesHosts }: Pick<PoolTerms, 'sets' | 'namesHosts'>): number[] {
  return templates.map((template) => sets.number(setOf(template, namesHosts)));
}

function setOf({ requirements }: PoolTemplate, namesHosts: boolean) {
  return namesHosts ? withHostname(requirements) : requirements;
}

/** Whether these can be told in terms that were not gathered for them. */
export function areTold(templates: readonly PoolTemplate[], { vocabulary, namesHosts }: PoolTerms): boolean {
  const isKnown = (key: string, value: string | undefined) =>
    value === undefined || !vocabulary.has(key) || vocabulary.knownValueNumber(key, value) !== undefined;
  return templates.every((template) => vocabulary.holds(setOf(template, namesHosts)))
    && viewsOf(templates).every(({ labels, offerings }) => labels.every(({ key, values }) => values.every((value) => isKnown(key, value)))
      && offerings.every((plane) => offeringLabels(plane).every(([key, value]) => isKnown(key, value))));
}

/** The pools, and the instance types that these launch. */
export function encodePools(templates: readonly PoolTemplate[], terms: PoolTerms) {
  const { vocabulary, resources } = terms;
  const views = viewsOf(templates);
  return {
    ...encodeViews(views, vocabulary, vocabulary.wordStarts(), resources),
    templateCount: templates.length,
    templateView: Int32Array.from(templates, ({ table }) => views.indexOf(table)),
    templateSet: Int32Array.from(templateSets(templates, terms)),
    ...encodeLimits(templates),
    limitCapacity: amounts(views, limitedResources(templates), (view) => view.capacity),
    ...encodeMinValues(templates, vocabulary),
  };
}

/** What the limits leave. */
export function encodeLimits(templates: readonly PoolTemplate[]) {
  const limited = limitedResources(templates);
  return {
    templateNodes: BigInt64Array.from(templates, ({ limitsLeft }) => limitsLeft.get(NODES) ?? UNLIMITED),
    limitCount: limited.length,
    limitRemaining: BigInt64Array.from(templates.flatMap(({ limitsLeft }) => limited.map((resource) => {
      const limit = limitsLeft.get(resource);
      return limit === undefined ? UNLIMITED : saturate(limit);
    }))),
  };
}

function encodeMinValues(templates: readonly PoolTemplate[], vocabulary: Vocabulary) {
  const minima = templates.map(({ requirements }) => minValuesOf(requirements));
  return {
    minValuesStart: startsOf(minima),
    minValues: Int32Array.from(minima.flat().flatMap(([key, minimum]) => [vocabulary.keyNumber(key), minimum])),
  };
}

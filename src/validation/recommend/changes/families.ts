import { PoolChange } from './pool-change';
import { PoolDraft, WrittenRequirement } from './pool-draft';
import { Label, listText, shortListText } from '../../../model';

/** The families that run anything: balanced, with more CPU, with more memory. */
const GENERAL_CATEGORIES = ['c', 'm', 'r'] as const;
const ORDINARY_CATEGORIES: readonly string[] = [...GENERAL_CATEGORIES, 't'];
/** Generations that are older are sold in few zones. */
const OLDEST_GENERATION = 5;
/** More values make a line that nobody reviews. */
const MAX_TYPES = 24;
const SHOWN = 4;
/** Ends of the names of families without local disks or faster networks, by architecture. */
const PLAIN: Readonly<Record<string, readonly string[]>> = { amd64: ['', 'i', 'a'], arm64: ['g'] };

interface Family {
  readonly category: string;
  readonly generation: number;
  readonly suffix: string;
}

/** More families, generations and types in lists, and categories that are left out. */
export function familyChanges(draft: PoolDraft): PoolChange[] {
  return [
    ...moreCategories(draft),
    ...moreFamilies(draft),
    ...moreTypes(draft),
    ...olderGenerations(draft),
    ...fewerCategories(draft),
  ];
}

/** Families like the listed ones: the same categories, as new or newer, with nothing that costs more. */
export function plainFamilies(
  draft: PoolDraft,
  listed: readonly string[],
  architectures: readonly string[],
): readonly string[] {
  // Families with GPUs or disks are listed for these.
  const present = listed
    .flatMap((name) => parsed(name) ?? [])
    .filter(({ category }) => ORDINARY_CATEGORIES.includes(category));
  const suffixes = architectures.flatMap((architecture) => PLAIN[architecture] ?? []);
  return familiesOf(draft).filter((name) => {
    const family = parsed(name);
    return (
      family !== undefined &&
      !listed.includes(name) &&
      suffixes.includes(family.suffix) &&
      present.some(({ category, generation }) => category === family.category && family.generation >= generation)
    );
  });
}

export function typesOfFamilies({ table }: PoolDraft, families: readonly string[], sizes: readonly string[]): string[] {
  const known = new Set(table.names);
  return families.flatMap((family) => sizes.map((size) => `${family}.${size}`)).filter((name) => known.has(name));
}

/** Adds the general categories that the NodePool leaves out. A NodePool for other categories is one on purpose. */
function moreCategories(draft: PoolDraft): PoolChange[] {
  const requirement = draft.listed(Label.INSTANCE_CATEGORY);
  const missing = GENERAL_CATEGORIES.filter((category) => !requirement?.values.includes(category));
  if (!requirement?.values.every((value) => ORDINARY_CATEGORIES.includes(value)) || missing.length === 0) return [];
  return [
    draft.widened(
      { description: `allow instance category ${listText(missing)} as well`, subject: 'categories' },
      { requirement, added: missing },
    ),
  ];
}

/** A packing with other nodes may be cheaper, although each of its pods has fewer types to choose from. */
function fewerCategories(draft: PoolDraft): PoolChange[] {
  const { values = GENERAL_CATEGORIES } = draft.listed(Label.INSTANCE_CATEGORY) ?? {};
  if (values.length < 2 || !values.some((value) => (GENERAL_CATEGORIES as readonly string[]).includes(value)))
    return [];
  if (draft.has(Label.INSTANCE_FAMILY) || draft.has(Label.INSTANCE_TYPE)) return [];
  return values.map((category) =>
    draft.appended(
      { description: `launch no nodes of instance category ${category}`, subject: 'categories' },
      { key: Label.INSTANCE_CATEGORY, operator: 'NotIn', values: [category] },
    ),
  );
}

function moreFamilies(draft: PoolDraft): PoolChange[] {
  const requirement = draft.listed(Label.INSTANCE_FAMILY);
  if (requirement === undefined) return [];
  return widenedBy(
    draft,
    requirement,
    'families',
    'families',
    plainFamilies(draft, requirement.values, architecturesOf(requirement.values)),
  );
}

function moreTypes(draft: PoolDraft): PoolChange[] {
  const requirement = draft.listed(Label.INSTANCE_TYPE);
  if (requirement === undefined) return [];
  const [families, sizes] = [0, 1].map((part) => [...new Set(requirement.values.map((name) => name.split('.')[part]))]);
  const siblings = typesOfFamilies(draft, plainFamilies(draft, families, architecturesOf(families)), sizes);
  const others = typesOfFamilies(draft, families, ['medium', 'large', 'xlarge', '2xlarge', '4xlarge', '8xlarge']);
  const missing = (names: readonly string[]) => names.filter((name) => !requirement.values.includes(name));
  return [
    ...widenedBy(draft, requirement, 'instance types', 'types', missing(siblings)),
    ...widenedBy(draft, requirement, 'instance types', 'sizes of types', missing(others)),
  ];
}

function widenedBy(
  draft: PoolDraft,
  requirement: WrittenRequirement,
  noun: string,
  subject: string,
  added: readonly string[],
): PoolChange[] {
  if (added.length === 0 || added.length > MAX_TYPES) return [];
  return [
    draft.widened(
      { description: `allow ${noun} ${shortListText(added, SHOWN)} as well`, subject },
      { requirement, added },
    ),
  ];
}

function olderGenerations(draft: PoolDraft): PoolChange[] {
  const present = draft.bound(Label.INSTANCE_GENERATION, 'Gt');
  const least = Number(present?.values[0]) + 1;
  if (present === undefined || !(least > OLDEST_GENERATION)) return [];
  return [
    draft.compared(
      { description: `allow instance generation ${OLDEST_GENERATION} and newer`, subject: 'generations' },
      present,
      String(OLDEST_GENERATION - 1),
    ),
  ];
}

/** The architectures of families: further families must run the same images. */
function architecturesOf(families: readonly string[]): readonly string[] {
  const isArm64 = (name: string) => PLAIN.arm64.some((suffix) => parsed(name)?.suffix.startsWith(suffix));
  return [...new Set(families.map((name) => (isArm64(name) ? 'arm64' : 'amd64')))];
}

function familiesOf({ table }: PoolDraft): readonly string[] {
  return table.labels.find(({ key }) => key === Label.INSTANCE_FAMILY)?.values ?? [];
}

function parsed(name: string): Family | undefined {
  const [, category, generation, suffix] = /^([a-z]+)(\d+)([a-z-]*)$/.exec(name) ?? [];
  return category === undefined ? undefined : { category, generation: Number(generation), suffix };
}

import { YAMLSeq } from 'yaml';
import { LegacyObject } from './legacy-object';
import { specField } from '../../contract';
import { Fields, scalarOf } from '../yaml/fields';
import { yamlNodeOf } from '../yaml/values';

interface SelectorKind {
  /** Keys of the map that are not tags, each with the field of a selector term that replaces it. */
  readonly special: Readonly<Record<string, 'id' | 'name' | 'owner'>>;
}

export const TAG_SELECTOR: SelectorKind = { special: { 'aws-ids': 'id', 'aws::ids': 'id' } };
export const AMI_SELECTOR: SelectorKind = {
  special: { ...TAG_SELECTOR.special, 'aws::name': 'name', 'aws::owners': 'owner' },
};

interface Term {
  readonly id?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly tags?: Record<string, string>;
}

/**
 * Converts a map of tags to a list of selector terms: `subnetSelector` to `subnetSelectorTerms`. A value with commas
 * matched any of its parts. Terms are alternatives, so each combination of parts becomes one term.
 */
export function moveSelector(
  object: LegacyObject,
  from: Fields,
  name: string,
  into: Fields,
  { special }: SelectorKind,
): void {
  const field = from.find(name);
  const map = from.takeInner(name);
  if (!map || map.isEmpty) return writePlaceholder(object, name, into);
  const entries = map.entries.map((entry) => ({ key: entry.key.value, ...partsOf(scalarOf(entry) ?? '') }));
  const combinations = entries.reduce<Term[]>(
    (partial, { key, values }) => partial.flatMap((term) => values.map((value) => withPart(term, key, value, special))),
    [{}],
  );
  const terms = unique(combinations.map(validTerm)).slice(0, maxTerms());
  const node = yamlNodeOf(terms) as YAMLSeq;
  const comments = map.entries
    .flatMap(({ key, value }) => [key.commentBefore, value.comment])
    .concat(map.map.comment)
    .filter(Boolean);
  node.commentBefore = comments.join('\n') || undefined;
  into.set(`${name}Terms`, node);
  object.note('changed', `${name} becomes ${name}Terms`, field);
  if (combinations.some((term) => term.id !== undefined && Object.keys(term).length > 1)) {
    keepSelector(
      object,
      into,
      name,
      map,
      `${name}: a term with an id accepts no other field, so only the ids are written`,
    );
  } else if (unique(combinations).length > terms.length) {
    keepSelector(object, into, name, map, `${name}: v1 accepts at most ${maxTerms()} terms, so the rest is omitted`);
  } else if (entries.some(({ hasEmpty }) => hasEmpty)) {
    keepSelector(
      object,
      into,
      name,
      map,
      `${name}: tag values cannot be empty, so the empty part next to a comma is omitted`,
    );
  }
}

/** Splits a value at its commas. The legacy API accepted the empty parts of stray commas; selector terms do not. */
function partsOf(value: string): { readonly values: readonly string[]; readonly hasEmpty: boolean } {
  const parts = value.split(',').map((part) => part.trim());
  const values = parts.filter((part) => part !== '');
  return values.length > 0 ? { values, hasEmpty: values.length < parts.length } : { values: [''], hasEmpty: false };
}

function withPart(term: Term, key: string, value: string, special: SelectorKind['special']): Term {
  const field = Object.hasOwn(special, key) ? special[key] : undefined;
  return field ? { ...term, [field]: value } : { ...term, tags: { ...term.tags, [key]: value } };
}

/** The term as v1 accepts it: an id without other fields, and an owner only with other fields. */
function validTerm(term: Term): Term {
  if (term.id !== undefined) return { id: term.id };
  return term.owner !== undefined && term.name === undefined && term.tags === undefined ? { name: '*', ...term } : term;
}

function unique(terms: readonly Term[]): Term[] {
  const seen = new Set<string>();
  return terms.filter((term) => {
    const text = JSON.stringify(term);
    return !seen.has(text) && seen.add(text);
  });
}

/** Keeps the old selector as a comment, with a note. */
function keepSelector(object: LegacyObject, into: Fields, name: string, map: Fields, why: string): void {
  object.note('todo', why, map.entries[0]);
  const holder = Fields.empty();
  holder.set(name, map);
  into.keepAsComment(holder.find(name)!, why);
}

/** Writes a placeholder for a missing selector. AMIs need none: each AMI family has an alias. */
function writePlaceholder(object: LegacyObject, name: string, into: Fields): void {
  if (name === 'amiSelector') return;
  into.set(
    `${name}Terms`,
    [{ tags: { 'karpenter.sh/discovery': 'CLUSTER_NAME' } }],
    'TODO: the old object has no selector',
  );
  object.note('todo', `${name} is missing; write ${name}Terms`);
}

function maxTerms(): number {
  return specField('EC2NodeClass', 'subnetSelectorTerms').maxItems!;
}

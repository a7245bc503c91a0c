import { YAMLSeq } from 'yaml';
import { LegacyObject } from './legacy-object';
import { specField } from '../../contract';
import { Fields, scalarOf } from '../yaml/fields';
import { nodeOf } from '../yaml/plain';

interface SelectorKind {
  /** Keys of the map that are no tags, and the field of a term that each is now. */
  readonly special: Readonly<Record<string, 'id' | 'name' | 'owner'>>;
}

export const PLAIN_SELECTOR: SelectorKind = { special: { 'aws-ids': 'id', 'aws::ids': 'id' } };
export const AMI_SELECTOR: SelectorKind = { special: { ...PLAIN_SELECTOR.special, 'aws::name': 'name', 'aws::owners': 'owner' } };

interface Term { readonly id?: string; readonly name?: string; readonly owner?: string; readonly tags?: Record<string, string> }

/**
 * A map of tags as a list of selector terms: `subnetSelector` as `subnetSelectorTerms`. A value with commas stood for
 * any of its parts, and terms are alternatives, so that each combination of parts becomes one term.
 */
export function moveSelector(object: LegacyObject, from: Fields, name: string, into: Fields, { special }: SelectorKind): void {
  const field = from.find(name);
  const map = from.takeInner(name);
  if (!map || map.isEmpty) return placeholder(object, name, into);
  const entries = map.all.map((entry) => ({ key: entry.key.value, ...partsOf(scalarOf(entry) ?? '') }));
  const all = entries.reduce<Term[]>((found, { key, values }) =>
    found.flatMap((term) => values.map((value) => withPart(term, key, value, special))), [{}]);
  const terms = unique(all.map(valid)).slice(0, mostTerms());
  const node = nodeOf(terms) as YAMLSeq;
  const comments = map.all.flatMap(({ key, value }) => [key.commentBefore, value.comment]).concat(map.map.comment).filter(Boolean);
  node.commentBefore = comments.join('\n') || undefined;
  into.set(`${name}Terms`, node);
  object.note('changed', `${name} is ${name}Terms`, field);
  if (all.some((term) => term.id !== undefined && Object.keys(term).length > 1)) {
    keep(object, into, name, map, `${name}: a term with an id can hold nothing else, so only the ids are left`);
  } else if (unique(all).length > terms.length) {
    keep(object, into, name, map, `${name}: there can be at most ${mostTerms()} terms, and the rest is left out`);
  } else if (entries.some(({ hasEmpty }) => hasEmpty)) {
    keep(object, into, name, map, `${name}: no value of a tag can be empty, so the empty part beside a comma is left out`);
  }
}

/** A stray comma leaves an empty part, which the old API took, and a term does not. */
function partsOf(value: string): { readonly values: readonly string[]; readonly hasEmpty: boolean } {
  const parts = value.split(',').map((part) => part.trim());
  const values = parts.filter((part) => part !== '');
  return values.length > 0 ? { values, hasEmpty: values.length < parts.length } : { values: [''], hasEmpty: false };
}

function withPart(term: Term, key: string, value: string, special: SelectorKind['special']): Term {
  const field = Object.hasOwn(special, key) ? special[key] : undefined;
  return field ? { ...term, [field]: value } : { ...term, tags: { ...term.tags, [key]: value } };
}

/** Of what the API takes together: an id alone, and an owner only beside something else. */
function valid(term: Term): Term {
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

function keep(object: LegacyObject, into: Fields, name: string, map: Fields, why: string): void {
  object.note('todo', why, map.all[0]);
  const holder = Fields.empty();
  holder.set(name, map);
  into.keepAsComment(holder.find(name)!, why);
}

/** AMIs need no selector: there is an alias for those of each family. */
function placeholder(object: LegacyObject, name: string, into: Fields): void {
  if (name === 'amiSelector') return;
  into.set(`${name}Terms`, [{ tags: { 'karpenter.sh/discovery': 'CLUSTER_NAME' } }], 'TODO: the old object selects none');
  object.note('todo', `${name} is missing: write ${name}Terms`);
}

function mostTerms(): number {
  return specField('EC2NodeClass', 'subnetSelectorTerms').maxItems!;
}

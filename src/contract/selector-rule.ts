/**
 * Rules for the selector terms of an EC2NodeClass: subnets, security groups and AMIs. Terms of a list are ORed, the
 * fields of a term ANDed.
 *
 * Source: karpenter.k8s.aws_ec2nodeclasses.yaml of 1.15.1. Its rules against mixed terms of subnets, security groups and capacity
 * reservations are written as 'not every term mixes id and tags', so the API server accepts a mixed term beside a clean one, and
 * Karpenter then looks at the id alone. By the same rule a list of capacity reservations may be absent, but not empty.
 */
import { FieldPath, FieldProblem } from './field-problem';
import { CAPACITY_RESERVATION_ID, checkReservationTerm } from './placement-rule';
import { asRecord, checkPattern, checkSize, checkText, ifPresent, IntegerRule, PatternRule, rejected, withConsequence } from './value-rule';

export const SELECTOR_TERMS_COUNT: IntegerRule = { min: 1, max: 30 };
export const SELECTOR_TAGS_COUNT: IntegerRule = { min: 0, max: 20 };
export const AMI_ALIAS_MAX_LENGTH = 30;
export const AMI_ALIAS_FAMILIES: Readonly<Record<string, string>> = {
  al2: 'AL2', al2023: 'AL2023', bottlerocket: 'Bottlerocket', windows2019: 'Windows2019', windows2022: 'Windows2022', windows2025: 'Windows2025',
};

/** The schema's id patterns have no anchors: text around an id passes, and then matches nothing in EC2. */
export const SUBNET_ID: PatternRule = { pattern: /subnet-[0-9a-z]+/, meaning: 'a subnet id', remedy: 'write for example subnet-0123456789abcdef0' };
export const SECURITY_GROUP_ID: PatternRule = { pattern: /sg-[0-9a-z]+/, meaning: 'a security group id', remedy: 'write for example sg-0123456789abcdef0' };
export const AMI_ID: PatternRule = { pattern: /ami-[0-9a-z]+/, meaning: 'an AMI id', remedy: 'write for example ami-0123456789abcdef0' };

interface SelectorKind {
  readonly id: PatternRule;
  /** Fields of which a term must have one. */
  readonly selectors: readonly string[];
  /** Fields that narrow what the selectors select. */
  readonly modifiers?: readonly string[];
  /** Fields that exclude all others of a term, in the order in which Karpenter looks at them. */
  readonly exclusive: readonly string[];
}

const SUBNET: SelectorKind = { id: SUBNET_ID, selectors: ['tags', 'id'], exclusive: ['id'] };
const SECURITY_GROUP: SelectorKind = { id: SECURITY_GROUP_ID, selectors: ['tags', 'id', 'name'], exclusive: ['id', 'name'] };
const CAPACITY_RESERVATION: SelectorKind = {
  id: CAPACITY_RESERVATION_ID, selectors: ['tags', 'id', 'instanceMatchCriteria'], modifiers: ['ownerID'], exclusive: ['id'],
};
const AMI: SelectorKind = { id: AMI_ID, selectors: ['tags', 'id', 'name', 'alias', 'ssmParameter'], exclusive: [] };

export function checkSubnetSelectorTerms(path: FieldPath, raw: unknown): FieldProblem[] {
  return checkTerms(path, raw, SUBNET);
}

export function checkSecurityGroupSelectorTerms(path: FieldPath, raw: unknown): FieldProblem[] {
  return checkTerms(path, raw, SECURITY_GROUP);
}

export function checkCapacityReservationSelectorTerms(path: FieldPath, raw: unknown): FieldProblem[] {
  const terms = Array.isArray(raw) ? raw.map((term) => asRecord(term) ?? {}) : [];
  return [...checkTerms(path, raw, CAPACITY_RESERVATION), ...terms.flatMap((term, i) => checkReservationTerm([...path, i], term))];
}

export function checkAmiSelectorTerms(path: FieldPath, raw: unknown): FieldProblem[] {
  const problems = checkTerms(path, raw, AMI);
  const terms = Array.isArray(raw) ? raw.map((term) => asRecord(term) ?? {}) : [];
  return [
    ...problems,
    ...terms.flatMap((term, i) => checkAmiTerm([...path, i], term)),
    ...(terms.length > 1 && terms.some((term) => term.alias !== undefined) ?
      [rejected(path, 'must hold nothing beside a term with an alias', terms.length, 'remove the other terms, or select all AMIs by tags, id or name')] : []),
  ];
}

/** `family@version`, of a family that Karpenter knows. */
export function checkAmiAlias(path: FieldPath, value: unknown): FieldProblem[] {
  const families = Object.keys(AMI_ALIAS_FAMILIES);
  const remedy = 'write for example al2023@v20250915, or al2023@latest';
  if (typeof value !== 'string' || value.length > AMI_ALIAS_MAX_LENGTH || !/^[a-zA-Z0-9]+@.+$/.test(value)) {
    return [rejected(path, `must be <family>@<version> of at most ${AMI_ALIAS_MAX_LENGTH} characters`, value, remedy)];
  }
  const [family, version] = value.split('@');
  if (!families.includes(family)) return [rejected(path, `must begin with one of ${families.join(', ')}`, value, remedy)];
  if (family.startsWith('windows') && version !== 'latest') {
    return [rejected(path, 'must be @latest for Windows, whose AMIs cannot be pinned', value, `write ${family}@latest`)];
  }
  return [];
}

function checkTerms(path: FieldPath, raw: unknown, kind: SelectorKind): FieldProblem[] {
  if (!Array.isArray(raw)) return [rejected(path, 'must be a list of selector terms', raw, `write a list of terms with ${kind.selectors.join(', ')}`)];
  return [
    ...checkSize(path, raw.length, SELECTOR_TERMS_COUNT, 'terms'),
    ...raw.flatMap((term, i) => checkTerm([...path, i], term, kind)),
    ...checkMixed(path, raw, kind),
  ];
}

function checkTerm(path: FieldPath, raw: unknown, kind: SelectorKind): FieldProblem[] {
  const term = asRecord(raw);
  if (!term || !kind.selectors.some((field) => term[field] !== undefined && term[field] !== null)) {
    return [rejected(path, `must have at least one of ${kind.selectors.join(', ')}`, raw, 'add one')];
  }
  return [
    ...ifPresent(term.id, () => checkPattern([...path, 'id'], term.id, kind.id)),
    ...ifPresent(term.tags, () => checkSelectorTags([...path, 'tags'], term.tags)),
    ...['name', 'owner', 'ssmParameter'].flatMap((field) => ifPresent(term[field], () => checkText([...path, field], term[field]))),
  ];
}

function checkSelectorTags(path: FieldPath, raw: unknown): FieldProblem[] {
  const tags = asRecord(raw);
  if (!tags) return [rejected(path, 'must be a map of tags', raw, 'write key: value; a value of "*" selects any value')];
  const entries = Object.entries(tags);
  return [
    ...checkSize(path, entries.length, SELECTOR_TAGS_COUNT, 'tags'),
    ...entries.flatMap(([key, value]) => key === '' ? [rejected([...path, key], 'must have a key that is not empty', key, 'write the key')]
      : checkText([...path, key], value)),
  ];
}

/** The API server's rule in its own, loose, form: the terms are refused only if every one of them is mixed. */
function checkMixed(path: FieldPath, terms: readonly unknown[], { selectors, modifiers = [], exclusive }: SelectorKind): FieldProblem[] {
  const fieldsOf = (term: unknown) => [...selectors, ...modifiers].filter((field) => asRecord(term)?.[field] !== undefined);
  return exclusive.flatMap((field, rank) => {
    const isMixed = (term: unknown) => fieldsOf(term).includes(field) && fieldsOf(term).length > 1;
    const consequence = terms.every(isMixed) ? 'rejected' : 'misread';
    return terms.flatMap((term, i) => {
      if (!isMixed(term) || exclusive.slice(0, rank).some((earlier) => fieldsOf(term).includes(earlier))) return [];
      return [withConsequence(consequence, [...path, i], `must not have ${field} together with other fields, which Karpenter ignores`,
        fieldsOf(term), 'write one term for each')];
    });
  });
}

function checkAmiTerm(path: FieldPath, term: Readonly<Record<string, unknown>>): FieldProblem[] {
  const has = (field: string) => term[field] !== undefined;
  const beside = (field: string) => ['id', 'alias', 'tags', 'name', 'owner'].filter((other) => other !== field && has(other));
  return [
    ...ifPresent(term.alias, () => checkAmiAlias([...path, 'alias'], term.alias)),
    ...(['id', 'alias'] as const).filter((field) => has(field) && beside(field).length > 0 && (field === 'id' || !has('id')))
      .map((field) => rejected(path, `must not have ${field} together with ${beside(field).join(', ')}`, Object.keys(term), 'write one term for each')),
  ];
}

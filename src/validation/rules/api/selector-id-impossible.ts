import { appendItem, asRecord, FieldPath, joinedValues, setField, unsafeFix } from '../../../contract';
import { listText, valueText } from '../../../model';
import { findUnresolved } from '../../manifest/find-unresolved';
import { NodeClassManifest } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { defineRule, SubjectFinding, unknown } from '../define-rule';
import { nodeClasses } from '../subjects';

interface SelectorField {
  readonly field: string;
  readonly prefix: string;
  readonly what: string;
  /** Plural of the resource. */
  readonly resources: string;
}

/** A field, with its terms in a node class. */
interface Selector extends SelectorField {
  readonly terms: readonly PlainRecord[];
}

const FIELDS: readonly SelectorField[] = [
  { field: 'amiSelectorTerms', prefix: 'ami', what: 'an AMI id', resources: 'AMIs' },
  { field: 'subnetSelectorTerms', prefix: 'subnet', what: 'a subnet id', resources: 'subnets' },
  { field: 'securityGroupSelectorTerms', prefix: 'sg', what: 'a security group id', resources: 'security groups' },
];
/** The hexadecimal digits of an id of EC2. Old resources have 8. */
const DIGITS = '(?:[0-9a-f]{8}|[0-9a-f]{17})';

/**
 * The API server accepts an id with any number of letters and digits after its prefix.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/resource-ids.html
 */
export const selectorIdImpossible = defineRule({
  id: 'KARP-118',
  name: 'selector-id-impossible',
  severity: 'error',
  summary:
    'A term of a node class selects nothing: its id has a form that EC2 never uses, or one text has several values.',
  subjects: nodeClasses({
    where: (nodeClass) => selectorsOf(nodeClass, hasId).length + joinedTextsOf(nodeClass).length > 0,
  }),
  judge(nodeClass) {
    const selectors = selectorsOf(nodeClass, hasId);
    const unresolved = selectors.filter(({ terms }) => findUnresolved(idsOf(terms)) !== undefined);
    const findings = [...selectors.flatMap(impossibleIds), ...joinedTextsOf(nodeClass)];
    if (unresolved.length === 0) return findings;
    const names = listText(unresolved.map(({ resources }) => resources));
    return [...findings, unknown(`ids of its ${names} are known only at deployment`)];
  },
});

function joinedTextsOf(nodeClass: NodeClassManifest): SubjectFinding[] {
  return selectorsOf(nodeClass, () => true).flatMap(joinedTexts);
}

function hasId({ id }: PlainRecord): boolean {
  return typeof id === 'string';
}

/** The fields that have a term of the kind. */
function selectorsOf({ object }: NodeClassManifest, isOfKind: (term: PlainRecord) => boolean): Selector[] {
  const spec = asRecord(object.raw.spec) ?? {};
  return FIELDS.map((selector) => ({ ...selector, terms: recordsOf(spec[selector.field]) })).filter(({ terms }) =>
    terms.some(isOfKind),
  );
}

function impossibleIds({ terms, ...selector }: Selector): SubjectFinding[] {
  const impossible = terms.flatMap((term, index) =>
    isImpossible(term, selector) ? [{ id: valueText(term.id), index }] : [],
  );
  const selectsNothing = impossible.length === terms.length;
  return impossible.map(({ id, index }) => {
    const several = joinedValues(id) ?? [];
    return several.length > 1 ? severalIds(selector, terms, index, several, selectsNothing) : impossibleId(id, index);
  });

  function impossibleId(id: string, index: number): SubjectFinding {
    return {
      path: ['spec', selector.field, index, 'id'],
      message: `selects ${id}, which cannot be ${selector.what}: after "${selector.prefix}-", EC2 has 17 digits from 0 to f, or 8; ${
        selectsNothing
          ? `the class finds no ${selector.resources}, and nothing is launched`
          : `the term selects no ${selector.resources}`
      }`,
      remedy: `correct the id: EC2 and \`aws ec2\` show it, as in ${selector.prefix}-0123456789abcdef0`,
      evidence: { id, digits: id.length - selector.prefix.length - 1 },
      severity: isStandIn(id) ? 'info' : selectsNothing ? undefined : 'warning',
    };
  }
}

/** A term has one id: several need a term each. */
function severalIds(
  { field, resources }: SelectorField,
  terms: readonly PlainRecord[],
  index: number,
  ids: readonly string[],
  selectsNothing: boolean,
): SubjectFinding {
  const path = ['spec', field, index, 'id'];
  return {
    path,
    message: `has ${ids.length} ids in one text: ${selectsNothing ? `the class finds no ${resources}, and nothing is launched` : `the term selects no ${resources}`}`,
    remedy: `write a term for each: ${ids.map((id) => `{id: ${id}}`).join(', ')}`,
    evidence: { id: terms[index].id, ids },
    fix: unsafeFix(setField(path, ids[0]), ...ids.slice(1).map((id) => appendItem(['spec', field], { id }))),
    severity: selectsNothing ? undefined : 'warning',
  };
}

/** Names and tags with commas, as in the selectors of v1alpha5, which had several values in one text. */
function joinedTexts({ field, terms, resources }: Selector): SubjectFinding[] {
  return terms.flatMap((term, index) => {
    const texts: Array<readonly [FieldPath, unknown]> = [
      [['name'], term.name],
      ...Object.entries(asRecord(term.tags) ?? {}).map(([key, value]) => [['tags', key], value] as const),
    ];
    return texts.flatMap(([place, value]): SubjectFinding[] => {
      const several = typeof value === 'string' && value.includes(',') ? (joinedValues(value) ?? []) : [];
      if (several.length < 2 || findUnresolved(value) !== undefined) return [];
      const [first, ...others] = several.map((text) => withValue(term, place, text));
      return [
        {
          path: ['spec', field, index, ...place],
          message: `selects only ${resources} whose ${place.length === 1 ? 'name' : `tag ${String(place[1])}`} is the whole text ${valueText(value)}: Karpenter does not divide it at the comma`,
          remedy: `write a term for each of ${listText(several)}`,
          evidence: { value, values: several },
          fix: unsafeFix(
            setField(['spec', field, index], first),
            ...others.map((other) => appendItem(['spec', field], other)),
          ),
          severity: 'warning',
        },
      ];
    });
  });
}

function withValue(term: PlainRecord, [field, key]: FieldPath, value: string): PlainRecord {
  return key === undefined ? { ...term, [field]: value } : { ...term, tags: { ...asRecord(term.tags), [key]: value } };
}

/** Whether an id stands for the one that a reader fills in, as in a sample: a word, or one letter many times. */
export function isStandIn(id: unknown): boolean {
  return (
    typeof id === 'string' &&
    /^(?:ami|subnet|sg)-(?:[a-z_-]*(?:placeholder|your|example|here|change|todo|id)[a-z_-]*|(?:x{3,}|X{3,}|0{3,}|(?:123){2,})\w*|\w*x{4,})$/i.test(
      id,
    )
  );
}

function idsOf(terms: readonly PlainRecord[]): unknown[] {
  return terms.map(({ id }) => id);
}

/** Ids that the API server rejects are reported as such. */
function isImpossible({ id }: PlainRecord, { prefix }: SelectorField): boolean {
  return (
    typeof id === 'string' &&
    findUnresolved(id) === undefined &&
    new RegExp(`${prefix}-[0-9a-z]+`).test(id) &&
    !new RegExp(`^${prefix}-${DIGITS}$`).test(id)
  );
}

import { asRecord } from '../../../contract';
import { listText, valueText } from '../../../model';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

interface SelectorField {
  readonly field: string;
  readonly prefix: string;
  readonly what: string;
  /** Plural of the resource. */
  readonly resources: string;
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
export const selectorIdImpossible: Rule = {
  id: 'KARP-118',
  name: 'selector-id-impossible',
  severity: 'error',
  summary:
    'The id of an AMI, subnet or security group in a node class has a form that EC2 never uses: the term selects nothing.',
  check({ model: { nodeClasses } }: RuleContext): Outcome[] {
    return nodeClasses.flatMap(({ object }) => {
      const spec = asRecord(object.raw.spec) ?? {};
      const selectors = FIELDS.map((selector) => ({ ...selector, terms: recordsOf(spec[selector.field]) })).filter(
        ({ terms }) => terms.some(({ id }) => typeof id === 'string'),
      );
      if (selectors.length === 0) return [];
      const unresolved = selectors.filter(({ terms }) => findUnresolved(idsOf(terms)) !== undefined);
      const outcomes = selectors.flatMap(({ terms, ...selector }) => impossibleIds(object, selector, terms));
      if (unresolved.length > 0) {
        outcomes.push(
          notEvaluated(
            object,
            `ids of its ${listText(unresolved.map(({ resources }) => resources))} are known only at deployment`,
          ),
        );
      }
      return outcomes.length === 0 ? [pass(object)] : outcomes;
    });
  },
};

function impossibleIds(object: ManifestObject, selector: SelectorField, terms: readonly PlainRecord[]): Outcome[] {
  const impossible = terms.flatMap((term, index) =>
    isImpossible(term, selector) ? [{ id: valueText(term.id), index }] : [],
  );
  const selectsNothing = impossible.length === terms.length;
  return impossible.map(({ id, index }) =>
    fail({
      object,
      path: ['spec', selector.field, index, 'id'],
      message: `selects ${id}, which cannot be ${selector.what}: after "${selector.prefix}-", EC2 has 17 digits from 0 to f, or 8; ${
        selectsNothing
          ? `the class finds no ${selector.resources}, and nothing is launched`
          : `the term selects no ${selector.resources}`
      }`,
      remedy: `correct the id: EC2 and \`aws ec2\` show it, as in ${selector.prefix}-0123456789abcdef0`,
      evidence: { id, digits: id.length - selector.prefix.length - 1 },
      severity: selectsNothing ? undefined : 'warning',
    }),
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

import { allOf, Answer, anyOf, Condition, covers } from '../../template';

/** As a request of EC2 says it; of which region nobody knows. */
const EC2 = 'ec2.';
const SOMEWHERE = 'ec2.region.amazonaws.com';

/**
 * Whether a request that comes through EC2 meets what conditions ask of the service that it comes through. Their keys are compared whatever their case
 * is, and their values as the operator says.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */
export function meetsThroughEc2(conditions: readonly Condition[]): Answer {
  return allOf(conditions.filter(({ key }) => key.toLowerCase() === 'kms:viaservice').map(meets));
}

function meets({ operator, values }: Condition): Answer {
  const [, negated, how] = /^(?:ForA\w+Values?:)?String(Not)?(EqualsIgnoreCase|Equals|Like)(?:IfExists)?$/i.exec(operator) ?? [];
  if (how === undefined) return 'unknown';
  const isNamed = anyOf(values.map((value) => namesEc2(value, how.toLowerCase())));
  if (negated === undefined || isNamed === 'unknown') return isNamed;
  return isNamed === 'yes' ? 'no' : 'yes';
}

function namesEc2(value: string, how: string): Answer {
  const text = how === 'equalsignorecase' ? value.toLowerCase() : value;
  if (text.startsWith(EC2)) return 'yes';
  const answer = covers(text, SOMEWHERE);
  // An asterisk is one of StringLike alone.
  return how === 'like' || answer === 'unknown' ? answer : 'no';
}

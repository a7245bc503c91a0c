import { meaningOf } from './pattern-meaning';
import { Schema } from './schema';
import { nearestNames } from '../../model';

/** What a schema expects, in words. `description` completes `must be …`. */
export interface Expectation {
  readonly description: string;
  readonly remedy: string;
}

/** Remedies for a missing required field, by its name. */
const EXAMPLES: Readonly<Record<string, string>> = {
  nodeClassRef: 'write { group: karpenter.k8s.aws, kind: EC2NodeClass, name }',
  requirements: 'write [] for no requirements',
  template: 'write spec.template with its nodeClassRef and requirements',
  operator: 'write In, NotIn, Exists, DoesNotExist, Gt or Lt',
  effect: 'write NoSchedule, PreferNoSchedule or NoExecute',
  amiSelectorTerms: 'write for example [{ alias: al2023@latest }]',
  subnetSelectorTerms: 'write for example [{ tags: { karpenter.sh/discovery: my-cluster } }]',
  securityGroupSelectorTerms: 'write for example [{ tags: { karpenter.sh/discovery: my-cluster } }]',
};

/** For a longer string, no allowed value is suggested. */
const MAX_WORD_LENGTH = 64;

const FORMATS: Readonly<Record<string, Expectation>> = {
  'date-time': { description: 'a date and time', remedy: 'write for example 2026-01-31T12:00:00Z' },
  'go-duration': { description: 'a duration', remedy: 'write for example 30s or 1h30m' },
  'go-quantity': { description: 'a quantity', remedy: 'write for example 500m or 1Gi' },
};

export function expectationOf(schema: Schema): Expectation {
  if (schema.enum) return oneOf(schema.enum.map(String));
  if (schema['x-kubernetes-int-or-string'])
    return (
      fromPattern(schema) ?? {
        description: 'an integer or a string',
        remedy: 'write an integer, or a string in quotes',
      }
    );
  switch (schema.type) {
    case 'integer':
      return integer(schema);
    case 'number':
      return { description: 'a number', remedy: 'write a number without quotes' };
    case 'boolean':
      return { description: 'a boolean', remedy: 'write true or false, without quotes' };
    case 'array':
      return { description: 'a list', remedy: 'write items that begin with "-"' };
    case 'object':
      return {
        description: schema.additionalProperties ? 'a map' : 'an object',
        remedy: schema.additionalProperties ? 'write key: value' : objectRemedy(schema),
      };
    default:
      return (
        fromPattern(schema) ?? fromFormat(schema) ?? { description: 'a string', remedy: 'put the value in quotes' }
      );
  }
}

/** What to write for a missing field. */
export function missingFieldExpectation(name: string, schema: Schema): Expectation {
  const { description, remedy } = expectationOf(schema);
  const text = description === 'a string' ? `add ${name}` : remedy;
  return { description, remedy: Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : text };
}

/** Values of v1beta1 that v1 renamed. */
const RENAMED: Readonly<Record<string, string>> = { WhenUnderutilized: 'WhenEmptyOrUnderutilized' };

/** Values of v1beta1 that v1 has no other name for, with the allowed value that takes its place. */
const DROPPED: Readonly<Record<string, { readonly instead: string; readonly remedy: string }>> = {
  Ubuntu: {
    instead: 'Custom',
    remedy:
      'write Custom, and in userData all that joins the cluster: Karpenter 1.0 dropped the family, and adds nothing to the user data of Custom; or use an AMI of AL2023',
  },
};

/** Disruptions that no budget limits, by the start of the word. */
const OUTSIDE_BUDGETS: ReadonlyArray<readonly [start: RegExp, remedy: string]> = [
  [
    /^expir/i,
    'remove this budget, or write Underutilized, Empty or Drifted: no budget delays expiry, which obeys only expireAfter',
  ],
  [
    /^interrupt|^spot/i,
    'remove this budget, or write Underutilized, Empty or Drifted: no budget delays interruptions by EC2',
  ],
];

/** `write X` if one allowed value is similar, else `write X, Y or Z`. */
export function enumRemedy(value: unknown, allowed: readonly string[]): string {
  const dropped = typeof value === 'string' && Object.hasOwn(DROPPED, value) ? DROPPED[value] : undefined;
  if (dropped !== undefined && allowed.includes(dropped.instead)) return dropped.remedy;
  const [, outside] =
    OUTSIDE_BUDGETS.find(([start]) => allowed.includes('Underutilized') && start.test(String(value))) ?? [];
  if (outside !== undefined) return outside;
  const word = typeof value === 'string' ? nearestWord(value, allowed) : undefined;
  const near = typeof value === 'string' ? nearestNames(value, allowed) : [];
  return `write ${word ?? alternatives(near.length > 1 ? near : allowed)}`;
}

/** The allowed value that a misspelt one was likely meant to be. */
export function nearestWord(value: string, allowed: readonly string[]): string | undefined {
  const renamed = Object.hasOwn(RENAMED, value) ? RENAMED[value] : undefined;
  if (renamed !== undefined && allowed.includes(renamed)) return renamed;
  const sameIgnoringCase = allowed.find((word) => word.toLowerCase() === value.toLowerCase());
  if (sameIgnoringCase !== undefined || value.length > MAX_WORD_LENGTH) return sameIgnoringCase;
  // If several words are equally near, none is known to be meant.
  const near = nearestNames(value, allowed);
  return near.length === 1 ? near[0] : undefined;
}

function oneOf(allowed: readonly string[]): Expectation {
  return { description: `one of ${allowed.join(', ')}`, remedy: `write ${alternatives(allowed)}` };
}

function alternatives(allowed: readonly string[]): string {
  return allowed.length > 1 ? `${allowed.slice(0, -1).join(', ')} or ${allowed[allowed.length - 1]}` : allowed[0];
}

function integer({ minimum, maximum }: Schema): Expectation {
  const range =
    maximum === undefined
      ? minimum === undefined
        ? ''
        : ` of ${minimum} or more`
      : minimum === undefined
        ? ` of at most ${maximum}`
        : ` from ${minimum} to ${maximum}`;
  return { description: `an integer${range}`, remedy: `write an integer${range}` };
}

function fromPattern({ pattern }: Schema): Expectation | undefined {
  if (pattern === undefined) return undefined;
  const { description, remedy } = meaningOf(pattern);
  return { description, remedy };
}

function fromFormat({ format }: Schema): Expectation | undefined {
  if (format === undefined || Object.hasOwn(FORMATS, format)) return format === undefined ? undefined : FORMATS[format];
  return { description: `a string of the format ${format}`, remedy: 'write a string of that format, in quotes' };
}

function objectRemedy({ properties, required }: Schema): string {
  const names = required ?? Object.keys(properties ?? {});
  return names.length > 0 ? `write { ${names.slice(0, 6).join(', ')} }` : 'write fields under it, indented';
}

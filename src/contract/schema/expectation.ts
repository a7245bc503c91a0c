import { meaningOf } from './pattern-meaning';
import { Schema } from './schema';
import { nearestName } from '../../model';

/** What a schema wants, in words: `must be <what>`, and what to write where something else stands. */
export interface Expectation {
  readonly what: string;
  readonly remedy: string;
}

/** What is written where a required field of this name is missing. */
const EXAMPLES: Readonly<Record<string, string>> = {
  nodeClassRef: 'write { group: karpenter.k8s.aws, kind: EC2NodeClass, name }',
  requirements: 'write [] for no requirement at all',
  template: 'write spec.template with its nodeClassRef and requirements',
  operator: 'write In, NotIn, Exists, DoesNotExist, Gt or Lt',
  effect: 'write NoSchedule, PreferNoSchedule or NoExecute',
  amiSelectorTerms: 'write for example [{ alias: al2023@latest }]',
  subnetSelectorTerms: 'write for example [{ tags: { karpenter.sh/discovery: my-cluster } }]',
  securityGroupSelectorTerms: 'write for example [{ tags: { karpenter.sh/discovery: my-cluster } }]',
};

/** Longer texts are no misspelt words. */
const LONGEST_WORD = 64;

const FORMATS: Readonly<Record<string, Expectation>> = {
  'date-time': { what: 'a date and time', remedy: 'write for example 2026-01-31T12:00:00Z' },
  'go-duration': { what: 'a duration', remedy: 'write for example 30s or 1h30m' },
  'go-quantity': { what: 'a quantity', remedy: 'write for example 500m or 1Gi' },
};

export function expectationOf(schema: Schema): Expectation {
  if (schema.enum) return oneOf(schema.enum.map(String));
  if (schema['x-kubernetes-int-or-string']) return fromPattern(schema) ?? { what: 'an integer or a string', remedy: 'write an integer, or a text in quotes' };
  switch (schema.type) {
    case 'integer': return integer(schema);
    case 'number': return { what: 'a number', remedy: 'write a number without quotes' };
    case 'boolean': return { what: 'a boolean', remedy: 'write true or false, without quotes' };
    case 'array': return { what: 'a list', remedy: 'write items that begin with "-"' };
    case 'object': return { what: schema.additionalProperties ? 'a map' : 'an object', remedy: schema.additionalProperties ? 'write key: value' : objectRemedy(schema) };
    default: return fromPattern(schema) ?? fromFormat(schema) ?? { what: 'a string', remedy: 'put the value in quotes' };
  }
}

/** What is to be written for a field that is missing. */
export function missing(name: string, schema: Schema): Expectation {
  const { what, remedy } = expectationOf(schema);
  const text = what === 'a string' ? `add ${name}` : remedy;
  return { what, remedy: Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : text };
}

/** Words of v1beta1 that have another name now. */
const RENAMED: Readonly<Record<string, string>> = { WhenUnderutilized: 'WhenEmptyOrUnderutilized' };

/** `write X, Y or Z`; the one that was likely meant, if there is such a one. */
export function enumRemedy(value: unknown, allowed: readonly string[]): string {
  return `write ${(typeof value === 'string' ? likelyWord(value, allowed) : undefined) ?? alternatives(allowed)}`;
}

function likelyWord(value: string, allowed: readonly string[]): string | undefined {
  const renamed = Object.hasOwn(RENAMED, value) ? RENAMED[value] : undefined;
  if (renamed !== undefined && allowed.includes(renamed)) return renamed;
  const same = allowed.find((word) => word.toLowerCase() === value.toLowerCase());
  return same ?? (value.length > LONGEST_WORD ? undefined : nearestName(value, allowed));
}

function oneOf(allowed: readonly string[]): Expectation {
  return { what: `one of ${allowed.join(', ')}`, remedy: `write ${alternatives(allowed)}` };
}

function alternatives(allowed: readonly string[]): string {
  return allowed.length > 1 ? `${allowed.slice(0, -1).join(', ')} or ${allowed[allowed.length - 1]}` : allowed[0];
}

function integer({ minimum, maximum }: Schema): Expectation {
  const range = maximum === undefined ? minimum === undefined ? '' : ` of ${minimum} or more`
    : minimum === undefined ? ` of at most ${maximum}` : ` from ${minimum} to ${maximum}`;
  return { what: `an integer${range}`, remedy: `write an integer${range}` };
}

function fromPattern({ pattern }: Schema): Expectation | undefined {
  if (pattern === undefined) return undefined;
  const { meaning, remedy } = meaningOf(pattern);
  return { what: meaning, remedy };
}

function fromFormat({ format }: Schema): Expectation | undefined {
  if (format === undefined || Object.hasOwn(FORMATS, format)) return format === undefined ? undefined : FORMATS[format];
  return { what: `a text of the format ${format}`, remedy: 'write a text of that format, in quotes' };
}

function objectRemedy({ properties, required }: Schema): string {
  const names = required ?? Object.keys(properties ?? {});
  return names.length > 0 ? `write { ${names.slice(0, 6).join(', ')} }` : 'write fields under it, indented';
}

import { asRecord } from '../../contract';
import { RequirementSpec } from '../../model';
import { PlainRecord, recordsOf } from '../manifest/records';

const OPERATORS: readonly unknown[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const COMPARISONS: readonly unknown[] = ['Gt', 'Lt'];

/** The template of a NodePool that Karpenter would reject, as far as its parts are valid by themselves. */
export interface ReadableTemplate {
  readonly labels: Readonly<Record<string, string>>;
  readonly requirements: readonly RequirementSpec[];
}

export function readableTemplate(raw: unknown): ReadableTemplate {
  const template = asRecord(asRecord(asRecord(raw)?.spec)?.template);
  const labels = Object.entries(asRecord(asRecord(template?.metadata)?.labels) ?? {});
  return {
    labels: Object.fromEntries(labels.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    requirements: recordsOf(asRecord(template?.spec)?.requirements)
      .filter(isReadable)
      .map(({ key, operator, values = [] }) => ({ key, operator, values })),
  };
}

function isReadable(record: PlainRecord): record is PlainRecord & RequirementSpec {
  const { key, operator, values } = record;
  const isText = Array.isArray(values) && values.every((value) => typeof value === 'string');
  if (COMPARISONS.includes(operator)) return typeof key === 'string' && isText && /^\d{1,9}$/.test(values.join());
  return typeof key === 'string' && OPERATORS.includes(operator) && (values === undefined || isText);
}

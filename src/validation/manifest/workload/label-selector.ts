import { LabelSelector, LabelSelectorExpression } from '../../../model';
import { FieldReader } from '../field-reader';
import { FieldPath } from '../model';
import { PlainRecord } from '../records';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

export function readLabelSelector(reader: FieldReader, path: FieldPath, raw: unknown): LabelSelector {
  const selector = reader.record(path, raw);
  return {
    matchLabels: reader.stringMap([...path, 'matchLabels'], selector?.matchLabels, 'comparedText'),
    matchExpressions: reader
      .records([...path, 'matchExpressions'], selector?.matchExpressions)
      .map(({ itemPath, item }) => readExpression(reader, itemPath, item)),
  };
}

function readExpression(reader: FieldReader, path: FieldPath, raw: PlainRecord): LabelSelectorExpression {
  const operator = reader.oneOf([...path, 'operator'], raw.operator ?? '', OPERATORS) ?? '';
  const values = reader.strings([...path, 'values'], raw.values);
  const problem = valuesProblem(operator, values.length);
  if (problem !== undefined && reader.tokens.length === 0)
    reader.reject([...path, 'values'], problem, raw.values, 'correct the values, or use another operator');
  return { key: reader.string([...path, 'key'], raw.key) ?? '', operator, values };
}

function valuesProblem(operator: string, count: number): string | undefined {
  if (operator === 'In' || operator === 'NotIn')
    return count === 0 ? `must not be empty with the operator ${operator}` : undefined;
  return operator !== '' && count > 0 ? `must be empty with the operator ${operator}` : undefined;
}

/** A missing selector is undefined and selects no pod; an empty selector selects all pods. */
export function readOptionalSelector(reader: FieldReader, path: FieldPath, raw: unknown): LabelSelector | undefined {
  return raw === undefined ? undefined : readLabelSelector(reader, path, raw);
}

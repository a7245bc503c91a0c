import { FieldReader } from './field-reader';
import { FieldPath } from './model';
import { PlainRecord } from './records';
import { LabelSelector, LabelSelectorExpression } from '../../model';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

export function readLabelSelector(reader: FieldReader, path: FieldPath, raw: unknown): LabelSelector {
  const selector = reader.record(path, raw);
  return {
    matchLabels: reader.textMap([...path, 'matchLabels'], selector?.matchLabels),
    matchExpressions: reader.records([...path, 'matchExpressions'], selector?.matchExpressions).map(({ at, item }) => readExpression(reader, at, item)),
  };
}

function readExpression(reader: FieldReader, path: FieldPath, raw: PlainRecord): LabelSelectorExpression {
  const operator = reader.oneOf([...path, 'operator'], raw.operator ?? '', OPERATORS) ?? '';
  const values = reader.texts([...path, 'values'], raw.values);
  const problem = valuesProblem(operator, values.length);
  if (problem !== undefined && reader.tokens.length === 0) reader.reject([...path, 'values'], problem, raw.values, 'correct the values, or use another operator');
  return { key: reader.text([...path, 'key'], raw.key) ?? '', operator, values };
}

function valuesProblem(operator: string, values: number): string | undefined {
  if (operator === 'In' || operator === 'NotIn') return values === 0 ? `must hold a value when the operator is ${operator}` : undefined;
  return operator !== '' && values > 0 ? `must be empty when the operator is ${operator}` : undefined;
}

/** Undefined where there is none, which selects no pod; an empty one selects all. */
export function readOptionalSelector(reader: FieldReader, path: FieldPath, raw: unknown): LabelSelector | undefined {
  return raw === undefined ? undefined : readLabelSelector(reader, path, raw);
}

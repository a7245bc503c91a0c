import { FieldReader } from './field-reader';
import { FieldPath } from './model';
import { LabelSelector } from '../../model';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

export function readLabelSelector(reader: FieldReader, path: FieldPath, raw: unknown): LabelSelector {
  const selector = reader.record(path, raw);
  return {
    matchLabels: reader.textMap([...path, 'matchLabels'], selector?.matchLabels),
    matchExpressions: reader.records([...path, 'matchExpressions'], selector?.matchExpressions).map(({ at, item }) => ({
      key: reader.text([...at, 'key'], item.key) ?? '',
      operator: reader.oneOf([...at, 'operator'], item.operator ?? '', OPERATORS) ?? '',
      values: reader.texts([...at, 'values'], item.values),
    })),
  };
}

/** Undefined where there is none, which selects no pod; an empty one selects all. */
export function readOptionalSelector(reader: FieldReader, path: FieldPath, raw: unknown): LabelSelector | undefined {
  return raw === undefined ? undefined : readLabelSelector(reader, path, raw);
}

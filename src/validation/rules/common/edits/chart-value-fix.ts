import { FieldFix, removeField, setField, unsafeFix } from '../../../../contract';
import { Controller } from '../../../controller';

/**
 * An edit of a chart value. Undefined if the values are one text, or if the object is not the chart's: then the path
 * leads to something around the value.
 */
export function chartValueFix(
  { pathOf }: Pick<Controller, 'pathOf'>,
  steps: readonly string[],
  value: unknown,
): FieldFix | undefined {
  const path = pathOf(...steps);
  // Argo CD's parameters are texts.
  if (path.at(-3) === 'parameters' && path.at(-1) === 'value') return unsafeFix(setField(path, String(value)));
  return path.at(-1) === steps.at(-1) ? unsafeFix(setField(path, value)) : undefined;
}

/** Moves a chart value to another place. With `undefined` as value, it is removed. */
export function chartValueMove(
  { pathOf }: Pick<Controller, 'pathOf'>,
  from: readonly string[],
  to: readonly string[],
  value: unknown,
): FieldFix | undefined {
  const [fromPath, toPath] = [pathOf(...from), pathOf(...to)];
  if (fromPath.at(-1) !== from.at(-1) || toPath.at(-1) !== to.at(-1)) return undefined;
  return unsafeFix(...(value === undefined ? [] : [setField(toPath, value)]), removeField(fromPath));
}

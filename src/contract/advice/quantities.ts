import { FieldPath, FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { misread } from './misread';

/** Of amounts that are less than nothing. @param consequence the end of 'must not be negative, …' */
export function adviseOnQuantities(path: FieldPath, raw: unknown, consequence: string): FieldProblem[] {
  return Object.entries(asRecord(raw) ?? {}).filter(([, quantity]) => isNegative(quantity))
    .map(([resource, quantity]) => misread([...path, resource], `must not be negative, ${consequence}`, quantity, 'write 0 or more'));
}

function isNegative(quantity: unknown): boolean {
  return typeof quantity === 'string' ? quantity.startsWith('-') : typeof quantity === 'number' && quantity < 0;
}

import { CelValue, compileCached } from '../../src/contract/cel';

/** Whole numbers of a manifest are integers in CEL. */
function toCel(value: unknown): CelValue {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== 'object' || value === null) return value as CelValue;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, toCel(child)])) as CelValue;
}

/** Messages with which a ValidatingAdmissionPolicy rejects the object: `object` is `self` in the rules of CRDs. */
export function rejections(policy: any, object: object): string[] {
  const validations: Array<{ expression: string; message: string }> = policy.spec.validations;
  return validations.filter(({ expression }) => !holds(expression, object)).map(({ message }) => message);
}

function holds(expression: string, object: object): boolean {
  try {
    return compileCached(expression.replaceAll('object.', 'self.')).holds(toCel(object));
  } catch {
    return false; // failurePolicy: Fail
  }
}

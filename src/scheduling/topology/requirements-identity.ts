import { memoizeByIdentity, Requirement, Requirements } from '../../model';

/** A text that is equal for equal sets. */
export function requirementsIdentity(requirements: Requirements): string {
  return requirements.values().map(identityOf).join('\n');
}

/** A text that is equal for equal requirements. It has no minValues, which belong to the pool template. */
export const identityOf = memoizeByIdentity(({ key, complement, values, gte, lte }: Requirement): string =>
  JSON.stringify([key, complement, [...values].sort(), String(gte), String(lte)]),
);

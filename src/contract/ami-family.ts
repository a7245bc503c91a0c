import { asRecord } from './value-rule';

/** What the part of an alias before its `@` comes to. */
export const AMI_ALIAS_FAMILIES: Readonly<Record<string, string>> = {
  al2: 'AL2', al2023: 'AL2023', bottlerocket: 'Bottlerocket', windows2019: 'Windows2019', windows2022: 'Windows2022', windows2025: 'Windows2025',
};

/** The AMI family of a class by its `spec`, named or by its alias; undefined if neither is known. */
export function amiFamilyOfClass({ amiFamily, amiSelectorTerms }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof amiFamily === 'string') return amiFamily === 'Custom' || Object.values(AMI_ALIAS_FAMILIES).includes(amiFamily) ? amiFamily : undefined;
  const terms: readonly unknown[] = Array.isArray(amiSelectorTerms) ? amiSelectorTerms : [];
  const alias = terms.map((term) => asRecord(term)?.alias).find((value) => typeof value === 'string') as string | undefined;
  const name = (alias ?? '').split('@')[0];
  return Object.hasOwn(AMI_ALIAS_FAMILIES, name) ? AMI_ALIAS_FAMILIES[name] : undefined;
}

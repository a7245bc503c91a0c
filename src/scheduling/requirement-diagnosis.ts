import { mostAlike, Requirement, Requirements, suggestLabelKey, WELL_KNOWN_LABELS } from '../model';
import { Attempt } from './attempt';
import { catalogueValues, someValues, valuesText } from './wording';

/** Each label on which pod and pool do not agree: what either wants, and what was likely meant. */
export function requirementDiagnosis(attempt: Attempt): string {
  const { template, variant } = attempt;
  return variant.requirements.values()
    .filter((requirement) => !template.requirements.isCompatible(Requirements.of([requirement]), WELL_KNOWN_LABELS))
    .map((requirement) => template.requirements.has(requirement.key) ? conflict(attempt, requirement) : unknownLabel(attempt, requirement))
    .join('; ');
}

function unknownLabel({ template }: Attempt, { key }: Requirement): string {
  const meant = suggestLabelKey(key) ?? mostAlike(key, template.requirements.keys());
  return `no label and no requirement of the pool gives a node ${key}${meant === undefined ? '' : `: was ${meant} meant?`}`;
}

function conflict({ template }: Attempt, requirement: Requirement): string {
  const { key } = requirement;
  const own = template.requirements.get(key);
  const known = catalogueValues(template, key);
  const allowed = admitted(own, known);
  const hint = meantValue(requirement, allowed, known) ?? (allowed.length === 0 || own.operator() === 'In' ? '' : `, which leaves ${someValues(allowed)}`);
  return `the pod wants ${key} ${valuesText(requirement)}, the pool allows ${valuesText(own)}${hint}`;
}

/** The values that a node of the pool can have, as far as they are known. */
function admitted(own: Requirement, known: readonly string[]): string[] {
  return [...own.operator() === 'In' ? own.values : known.filter((value) => own.has(value))].sort();
}

/** A value that instance types really have is no typing mistake. */
function meantValue(requirement: Requirement, allowed: readonly string[], known: readonly string[]): string | undefined {
  if (requirement.operator() !== 'In') return undefined;
  const [meant] = [...requirement.values].sort().filter((value) => !known.includes(value)).flatMap((value) => mostAlike(value, allowed) ?? []);
  return meant === undefined ? undefined : `: was ${meant} meant?`;
}

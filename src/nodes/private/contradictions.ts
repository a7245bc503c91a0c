/** Requirements on one label that no node can meet together. */
import { isUnresolved } from './unresolved';
import { FieldProblem, launchFails } from '../../contract';
import { Requirement, requirementText, RequirementSpec } from '../../model';

/**
 * @param path of the list of requirements
 * @param specs the requirements, as the manifest has them
 */
export function findContradictions(path: FieldProblem['path'], specs: unknown): FieldProblem[] {
  const requirements = (Array.isArray(specs) ? (specs as RequirementSpec[]) : []).filter(
    ({ values = [] }) => Array.isArray(values) && !values.some(isUnresolved),
  );
  const keys = new Set(requirements.map(({ key }) => key));
  return [...keys].flatMap((key) => {
    const sameKey = requirements.filter((requirement) => requirement.key === key);
    const parsed = sameKey.map((spec) => Requirement.from(spec));
    if (sameKey.length < 2 || parsed.some(allowsNoValue)) return [];
    const together = parsed.reduce((all, requirement) => all.intersect(requirement));
    if (!allowsNoValue(together)) return [];
    const index = requirements.indexOf(sameKey.at(-1)!);
    return [
      launchFails(
        [...path, index],
        `must allow a value that the other requirements on ${key} allow, because a node must meet all of them`,
        sameKey.map(requirementText).join(' and '),
        'remove one of them, or list all values in one requirement',
      ),
    ];
  });
}

/** A single requirement without values, such as DoesNotExist, is not a contradiction. */
function allowsNoValue(requirement: Requirement): boolean {
  return requirement.operator() === 'DoesNotExist';
}

import { PackerSolution } from '../kernel';
import { Requirement } from '../model';
import { Vocabulary } from './vocabulary';

/**
 * What pool, pods and topology leave a claim of the labels that are not well known, and of the well-known ones which values they exclude.
 * Claims that are left the same share one list.
 */
export function claimRequirements({ claims, claimSets }: PackerSolution, vocabulary: Vocabulary): (claim: number) => readonly Requirement[] {
  const keys = vocabulary.numberedKeys();
  const known = new Map<number, readonly Requirement[]>();
  return (claim) => {
    const set = claims[claim * 3 + 1];
    let found = known.get(set);
    if (found === undefined) {
      found = claimSets.get(set)!.map(({ key, values, ...bounds }) => {
        const names = values.length === 0 ? [] : vocabulary.valuesOf(keys[key]);
        return Requirement.of({ key: keys[key], values: new Set(values.map((value) => names[value])), ...bounds });
      });
      known.set(set, found);
    }
    return found;
  };
}

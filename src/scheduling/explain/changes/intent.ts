import {
  Label,
  nearestName,
  Requirement,
  Requirements,
  Taint,
  Toleration,
  tolerates,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../../model';
import { Attempt } from '../../refusals/attempt';
import { isExtendedResource, isForDevicesOnly } from '../../refusals/devices';

/** Labels that pods of every team select: they point at no NodePool. */
const GENERAL_LABELS: ReadonlySet<string> = new Set([
  Label.ARCH,
  Label.OS,
  Label.ZONE,
  Label.REGION,
  Label.CAPACITY_TYPE,
  Label.HOSTNAME,
]);

/** Values that different manifests give the same taint. */
const YES: ReadonlySet<string> = new Set(['', 'true', 'yes', 'present', 'exists', '1']);

/**
 * Whether the pod points at the pool: it requests a device, or it selects labels that the pool has. A label that pods
 * of every team select counts only if no other pool meets it.
 *
 * @param attempts the attempts with all pools
 */
export function pointsAt(attempt: Attempt, attempts: readonly Attempt[]): boolean {
  const { variant, requests } = attempt;
  if ([...requests.keys()].some(isExtendedResource)) return true;
  return variant.requirements.values().some((requirement) => {
    const { key } = requirement;
    const only = Requirements.of([requirement]);
    const isMetBy = ({ template: { requirements } }: Attempt) => requirements.isCompatible(only, WELL_KNOWN_LABELS);
    if (requirement.operator() !== 'In' || !(isMetBy(attempt) || isMisspeltFor(attempt, requirement))) return false;
    if (!GENERAL_LABELS.has(key)) return attempt.template.requirements.has(key);
    return attempts.length > 1 && !attempts.some((other) => other.template !== attempt.template && isMetBy(other));
  });
}

/** Whether a value of the pool's label was meant, as `tier: glod` for `tier: gold`. */
function isMisspeltFor({ template: { requirements } }: Attempt, { key, values }: Requirement): boolean {
  const own = requirements.has(key) ? [...requirements.get(key).values] : [];
  return !GENERAL_LABELS.has(key) && [...values].some((value) => nearestName(value, own) !== undefined);
}

/** Whether the pool has only nodes with devices, which the pod does not request, and is not the only pool. */
export function isForOtherPods(attempt: Attempt, attempts: readonly Attempt[]): boolean {
  return attempts.length > 1 && isForDevicesOnly(attempt.template, attempt.requests) && !pointsAt(attempt, attempts);
}

/** A toleration that was meant for the taint: it has another value or effect, or the key with a typo. */
export function misspeltToleration(
  taint: Taint,
  { variant: { tolerations } }: Attempt,
  attempts: readonly Attempt[],
): Toleration | undefined {
  const taints = attempts.flatMap(({ template: { pool } }) => pool.taints);
  return tolerations
    .filter((toleration) => !taints.some((other) => tolerates(toleration, other)))
    .find((toleration) => {
      const { key = '', value = '', effect = '' } = toleration;
      if (key !== taint.key) return nearestName(key, [taint.key]) !== undefined;
      const own = taint.value ?? '';
      const isSameValue =
        value === own ||
        nearestName(value, [own]) !== undefined ||
        (YES.has(value.toLowerCase()) && YES.has(own.toLowerCase()));
      return (
        isSameValue || (effect !== '' && effect !== taint.effect && tolerates({ ...toleration, effect: '' }, taint))
      );
    });
}

/** The taints of the pool that the pod does not tolerate. */
export function untoleratedTaints({ template: { pool }, variant: { tolerations } }: Attempt): readonly Taint[] {
  return untolerated(pool.taints, tolerations);
}

import { isGateEnabled } from '../../contract';
import { Label, RequirementSpec, Requirements } from '../../model';
import { PodShape } from '../../scheduling';
import { CheckOptions } from '../check-options';
import { ManifestModel, NodeClassManifest, NodePoolManifest } from '../manifest';

/** Labels of nodes that are launched into a capacity reservation. */
const RESERVATION_LABELS = [
  Label.CAPACITY_RESERVATION_ID,
  Label.CAPACITY_RESERVATION_TYPE,
  Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
];
const RESERVED = 'reserved';
const ABSENT = ['DoesNotExist', 'NotIn'];

/**
 * EC2NodeClasses that select capacity reservations which the input does not contain. Only EC2 knows their instance
 * types and zones. Without the feature gate ReservedCapacity nothing is launched into reservations, so none matters.
 */
export function classesWithUnknownReservations(
  { nodeClasses, cluster }: ManifestModel,
  { featureGates }: CheckOptions,
): string[] {
  if (!isGateEnabled(featureGates, 'ReservedCapacity')) return [];
  const selecting = [...(cluster?.nodeClasses ?? []), ...nodeClasses].filter(
    (nodeClass) => nodeClass.facts && selectsReservations(nodeClass),
  );
  const names = new Set(selecting.map(({ object }) => object.name));
  return [...names].filter((name) => cluster?.nodeClassStatuses.get(name)?.reservations === undefined).sort();
}

/** Whether the NodePool launches only into capacity reservations. */
export function launchesOnlyReserved({ spec }: NodePoolManifest): boolean {
  if (spec === undefined) return false;
  const capacityType = Requirements.from(spec.requirements).get(Label.CAPACITY_TYPE);
  if (capacityType.has(RESERVED) && !capacityType.has('on-demand') && !capacityType.has('spot')) return true;
  return RESERVATION_LABELS.some(
    (label) =>
      Object.hasOwn(spec.labels, label) ||
      spec.requirements.some(({ key, operator }) => key === label && !ABSENT.includes(operator)),
  );
}

/** Whether the pod runs only on reserved capacity. */
export function requiresReserved({ nodeSelector, requiredNodeAffinity }: PodShape): boolean {
  if (
    nodeSelector[Label.CAPACITY_TYPE] === RESERVED ||
    RESERVATION_LABELS.some((label) => Object.hasOwn(nodeSelector, label))
  )
    return true;
  return (
    requiredNodeAffinity.length > 0 &&
    requiredNodeAffinity.every(({ matchExpressions }) => matchExpressions.some(isMetOnlyByReserved))
  );
}

function isMetOnlyByReserved({ key, operator, values = [] }: RequirementSpec): boolean {
  if (key === Label.CAPACITY_TYPE) return operator === 'In' && values.every((value) => value === RESERVED);
  return RESERVATION_LABELS.some((label) => label === key) && !ABSENT.includes(operator);
}

function selectsReservations({ object }: NodeClassManifest): boolean {
  const terms = object.raw.spec?.capacityReservationSelectorTerms;
  return Array.isArray(terms) && terms.length > 0;
}

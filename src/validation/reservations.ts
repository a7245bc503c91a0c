import { asRecord, isGateOpen } from '../contract';
import { Label, RequirementSpec, Requirements } from '../model';
import { PodShape } from '../scheduling';
import { ManifestModel, NodeClassManifest, NodePoolManifest } from './manifest';
import { CheckOptions } from './options';

/** What instances have that are launched into a capacity reservation. */
const RESERVATION_LABELS = [Label.CAPACITY_RESERVATION_ID, Label.CAPACITY_RESERVATION_TYPE, Label.CAPACITY_RESERVATION_INTERRUPTIBLE];
const RESERVED = 'reserved';
const ABSENT = ['DoesNotExist', 'NotIn'];

/**
 * Node classes that select capacity reservations of which nothing is known: which there are, of which type and where, EC2 says.
 * With the gate closed nothing is launched into any.
 */
export function classesOfUnknownReservations({ nodeClasses, cluster }: ManifestModel, { featureGates }: CheckOptions): string[] {
  if (!isGateOpen(featureGates, 'ReservedCapacity')) return [];
  const selecting = [...cluster?.nodeClasses ?? [], ...nodeClasses].filter((each) => each.facts && selectsReservations(each));
  return [...new Set(selecting.map(({ object }) => object.name))].filter((name) => cluster?.classes.get(name)?.reservations === undefined).sort();
}

/** Whether the pool launches nothing, unless there is a reservation. */
export function launchesReservedAlone({ spec }: NodePoolManifest): boolean {
  if (spec === undefined) return false;
  const capacityType = Requirements.from(spec.requirements).get(Label.CAPACITY_TYPE);
  if (capacityType.has(RESERVED) && !capacityType.has('on-demand') && !capacityType.has('spot')) return true;
  return RESERVATION_LABELS.some((label) => Object.hasOwn(spec.labels, label)
    || spec.requirements.some(({ key, operator }) => key === label && !ABSENT.includes(operator)));
}

/** Whether the pod goes to reserved capacity, and nowhere else. */
export function wantsReservedAlone({ nodeSelector, requiredNodeAffinity }: PodShape): boolean {
  if (nodeSelector[Label.CAPACITY_TYPE] === RESERVED || RESERVATION_LABELS.some((label) => Object.hasOwn(nodeSelector, label))) return true;
  return requiredNodeAffinity.length > 0 && requiredNodeAffinity.every(({ matchExpressions }) => matchExpressions.some(isMetByReservedAlone));
}

function isMetByReservedAlone({ key, operator, values = [] }: RequirementSpec): boolean {
  if (key === Label.CAPACITY_TYPE) return operator === 'In' && values.every((value) => value === RESERVED);
  return RESERVATION_LABELS.some((label) => label === key) && !ABSENT.includes(operator);
}

function selectsReservations({ object }: NodeClassManifest): boolean {
  const terms = asRecord(object.raw.spec)?.capacityReservationSelectorTerms;
  return Array.isArray(terms) && terms.length > 0;
}

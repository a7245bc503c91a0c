/* eslint-disable no-bitwise -- sets of label values are bit sets */
import { InstanceTypeTable, LabelColumn, OfferingPlane } from '../catalog';
import { Label, Requirement, Requirements } from '../model';
import { NodeOverlaySpec, NodePoolSpec } from './schedule-input';
import { admission, compatibleOfferings } from './type-filter';

/** What an overlay is for: instance types, and those of their offerings that its requirements leave. */
export interface OverlayMatch {
  /** Those with an offering, be it available or not. */
  readonly types: readonly number[];
  /** Indices into the table's offerings. */
  readonly planes: readonly number[];
  readonly offers: (type: number, plane: number) => boolean;
}

/**
 * What of a pool's types an overlay matches. The pool's labels count as theirs, and its requirements do not; a label that neither has
 * cannot be asked for.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeoverlay/controller.go
 */
export function overlayMatch(overlay: NodeOverlaySpec, pool: NodePoolSpec, table: InstanceTypeTable): OverlayMatch {
  const wanted = Requirements.from(overlay.requirements);
  const labels = Requirements.fromLabels({ ...pool.labels, [Label.NODE_POOL]: pool.name });
  const columns = new Map(table.labels.map((column) => [column.key, column]));
  const ofPool = Requirements.from([]);
  ofPool.add(...wanted.values().filter(({ key }) => !columns.has(key)));
  const planes = labels.isCompatible(ofPool) ? indicesOf(compatibleOfferings(table, wanted), table.offerings) : [];
  const offers = offeringExists(columns.get(Label.CAPACITY_TYPE)!, table.offerings);
  const admits = wanted.values().flatMap((requirement) => {
    const column = columns.get(requirement.key);
    return column ? [admissionBeside(column, requirement, labels)] : [];
  });
  const types = planes.length === 0 ? [] : table.names.map((_, type) => type)
    .filter((type) => admits.every((isAdmitted) => isAdmitted(type)) && planes.some((plane) => offers(type, plane)));
  return { types, planes, offers };
}

function indicesOf(planes: readonly OfferingPlane[], all: readonly OfferingPlane[]): number[] {
  return planes.map((plane) => all.indexOf(plane));
}

/** A type whose value is not the pool's has no value of the label at all. */
function admissionBeside(column: LabelColumn, requirement: Requirement, labels: Requirements): (type: number) => boolean {
  const alone = admission(column, requirement);
  if (!labels.has(column.key)) return alone;
  const carried = admission(column, labels.get(column.key));
  const both = admission(column, requirement.intersect(labels.get(column.key)));
  const absent = ['NotIn', 'DoesNotExist'].includes(requirement.operator());
  return (type) => carried(type) ? both(type) : absent;
}

/** Whether EC2 sells the type so: without a price it is not available, and an offering all the same. A reservation is of one type. */
function offeringExists(capacityTypes: LabelColumn, planes: readonly OfferingPlane[]): OverlayMatch['offers'] {
  const bits = planes.map(({ capacityType }) => 1 << capacityTypes.values.indexOf(capacityType));
  return (type, plane) => {
    const { reservation, usdPerHour } = planes[plane];
    return reservation ? !Number.isNaN(usdPerHour[type]) : (capacityTypes.sets![type] & bits[plane]) !== 0;
  };
}

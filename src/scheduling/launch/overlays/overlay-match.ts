/* eslint-disable no-bitwise -- sets of label values are bit sets */
import { InstanceTypeTable, LabelColumn, OfferingPlane } from '../../../catalog';
import { Label, Requirement, Requirements } from '../../../model';
import { NodeOverlaySpec, NodePoolSpec } from '../../input/schedule-input';
import { admission, compatibleOfferings } from '../type-filter';

/** The instance types and offerings that an overlay applies to. */
export interface OverlayMatch {
  /** Types with an offering, available or not. */
  readonly types: readonly number[];
  /** Indices into the table's offerings. */
  readonly planes: readonly number[];
  readonly offers: (type: number, plane: number) => boolean;
}

/**
 * The part of a pool's types that an overlay matches. The pool's labels count as labels of its types, but its
 * requirements do not. An overlay that requires a label that neither the pool nor the types have matches nothing.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeoverlay/controller.go
 */
export function overlayMatch(overlay: NodeOverlaySpec, pool: NodePoolSpec, table: InstanceTypeTable): OverlayMatch {
  const wanted = Requirements.from(overlay.requirements);
  const labels = Requirements.fromLabels({ ...pool.labels, [Label.NODE_POOL]: pool.name });
  const columns = new Map(table.labels.map((column) => [column.key, column]));
  const onPoolLabels = Requirements.from([]);
  onPoolLabels.add(...wanted.values().filter(({ key }) => !columns.has(key)));
  const planes = labels.isCompatible(onPoolLabels)
    ? indicesOf(compatibleOfferings(table, wanted), table.offerings)
    : [];
  const offers = offeringExists(columns.get(Label.CAPACITY_TYPE)!, table.offerings);
  const admits = wanted.values().flatMap((requirement) => {
    const column = columns.get(requirement.key);
    return column ? [admissionWithPoolLabels(column, requirement, labels)] : [];
  });
  const types =
    planes.length === 0
      ? []
      : table.names
          .map((_, type) => type)
          .filter(
            (type) => admits.every((isAdmitted) => isAdmitted(type)) && planes.some((plane) => offers(type, plane)),
          );
  return { types, planes, offers };
}

function indicesOf(planes: readonly OfferingPlane[], all: readonly OfferingPlane[]): number[] {
  return planes.map((plane) => all.indexOf(plane));
}

/** If the pool sets the label, a type with a different value counts as having no value. */
function admissionWithPoolLabels(
  column: LabelColumn,
  requirement: Requirement,
  labels: Requirements,
): (type: number) => boolean {
  if (!labels.has(column.key)) return admission(column, requirement);
  const carried = admission(column, labels.get(column.key));
  const both = admission(column, requirement.intersect(labels.get(column.key)));
  const absent = ['NotIn', 'DoesNotExist'].includes(requirement.operator());
  return (type) => (carried(type) ? both(type) : absent);
}

/**
 * Whether EC2 sells the type with this capacity type: an offering without a price exists, but is unavailable. A
 * reservation is for one type.
 */
function offeringExists(capacityTypes: LabelColumn, planes: readonly OfferingPlane[]): OverlayMatch['offers'] {
  const bits = planes.map(({ capacityType }) => 1 << capacityTypes.values.indexOf(capacityType));
  return (type, plane) => {
    const { reservation, usdPerHour } = planes[plane];
    return reservation ? !Number.isNaN(usdPerHour[type]) : (capacityTypes.sets![type] & bits[plane]) !== 0;
  };
}

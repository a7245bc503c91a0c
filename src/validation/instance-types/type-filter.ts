import { InstanceTypeTable } from '../../catalog';
import { Label, Requirements, RequirementSpec, requirementText } from '../../model';
import { compatibleOfferings, compatibleTypes, isOffered } from '../../scheduling';
import { EliminationVerdict } from '../vocabulary/verdict';

/** Labels of offerings. A type without an allowed offering does not meet a requirement on one of them. */
const OFFERING_LABELS: readonly string[] = [
  Label.ZONE,
  Label.ZONE_ID,
  Label.CAPACITY_TYPE,
  Label.PLACEMENT_GROUP_PARTITION,
  Label.CAPACITY_RESERVATION_ID,
  Label.CAPACITY_RESERVATION_TYPE,
  Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
];

/** The types of a table that meet requirements. */
export interface FilteredTypes {
  /** With only the offerings that the requirements allow. */
  readonly table: InstanceTypeTable;
  readonly types: readonly number[];
  /** How many types each requirement leaves. */
  readonly steps: readonly EliminationVerdict[];
}

/** @param among indices of the types to filter */
export function filterTypes(
  table: InstanceTypeTable,
  among: readonly number[],
  where: readonly RequirementSpec[],
): FilteredTypes {
  let types = among;
  let offered = table;
  const steps = where.map((spec, index): EliminationVerdict => {
    // Several requirements on one label count together, as in a NodePool.
    const requirements = Requirements.from(where.slice(0, index + 1));
    offered = { ...table, offerings: compatibleOfferings(table, requirements) };
    const compatible = compatibleTypes(table, requirements);
    const needsOffering = OFFERING_LABELS.some((key) => requirements.has(key));
    types = types.filter((type) => compatible[type] && (!needsOffering || isOffered(offered.offerings, type)));
    return { constraint: requirementText(spec), left: types.length };
  });
  return { table: offered, types, steps };
}

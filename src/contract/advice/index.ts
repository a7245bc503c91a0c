import { FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { adviseOnBlockDevices } from './block-devices';
import { adviseOnCapacityBuffer } from './capacity-buffer';
import { launchFails } from './misread';
import { adviseOnNames } from './names';
import { adviseOnQuantities } from './quantities';
import { adviseOnRequirements } from './requirements';
import { adviseOnBudgets } from './schedule';
import { adviseOnSelectorTerms } from './selector-terms';

/** What nobody refuses, and still is not what it says: the API server and Karpenter take the object. */
export function adviseOn(object: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  const spec = asRecord(object.spec) ?? {};
  switch (object.kind) {
    case 'NodePool': return [
      ...adviseOnNames(object, version),
      ...adviseOnRequirements(['spec', 'template', 'spec', 'requirements'], asRecord(asRecord(spec.template)?.spec)?.requirements),
      ...adviseOnBudgets(['spec', 'disruption', 'budgets'], asRecord(spec.disruption)?.budgets),
      ...adviseOnQuantities(['spec', 'limits'], spec.limits, 'or no node is launched'),
    ];
    case 'NodeClaim': return adviseOnRequirements(['spec', 'requirements'], spec.requirements);
    case 'NodeOverlay': return [
      ...adviseOnRequirements(['spec', 'requirements'], spec.requirements),
      ...adviseOnQuantities(['spec', 'capacity'], spec.capacity, 'which no node can have'),
    ];
    case 'EC2NodeClass': return object.spec === undefined ? [withoutSpec()] : [...adviseOnSelectorTerms(spec), ...adviseOnBlockDevices(['spec', 'blockDeviceMappings'], spec.blockDeviceMappings)];
    case 'CapacityBuffer': return adviseOnCapacityBuffer(spec);
    default: return [];
  }
}

/** The API asks for no spec, and takes a class without anything in it. */
function withoutSpec(): FieldProblem {
  return launchFails(['spec'], 'must be there', undefined, 'write amiSelectorTerms, subnetSelectorTerms, securityGroupSelectorTerms and role');
}

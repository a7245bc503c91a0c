export { correctedSchedule } from './corrected-schedule';
import { checkCpuUnit } from '../cpu-units';
import { asRecord, FieldProblem, launchFails } from '../field-problem';
import {
  checkBudgetSchedules,
  checkBufferSize,
  checkIgnoredValues,
  checkNameLengths,
  checkNegativeQuantities,
} from './core-kinds';
import { checkBlockDevices, checkReservedCpu, checkReservedMemory, checkSelectorTerms } from './node-class';

/** Problems that neither the API server nor Karpenter reports: a setting is ignored, or every launch fails. */
export function warningsFor(object: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  const spec = asRecord(object.spec) ?? {};
  switch (object.kind) {
    case 'NodePool':
      return [
        ...checkNameLengths(object, version),
        ...checkIgnoredValues(
          ['spec', 'template', 'spec', 'requirements'],
          asRecord(asRecord(spec.template)?.spec)?.requirements,
        ),
        ...checkBudgetSchedules(['spec', 'disruption', 'budgets'], asRecord(spec.disruption)?.budgets),
        ...checkNegativeQuantities(['spec', 'limits'], spec.limits, 'or no node is launched'),
        ...checkCpuUnit(['spec', 'limits'], spec.limits, 'Karpenter never reaches this limit'),
      ];
    case 'NodeClaim':
      return checkIgnoredValues(['spec', 'requirements'], spec.requirements);
    case 'NodeOverlay':
      return [
        ...checkIgnoredValues(['spec', 'requirements'], spec.requirements),
        ...checkNegativeQuantities(['spec', 'capacity'], spec.capacity, 'which no node can have'),
      ];
    case 'EC2NodeClass':
      return object.spec === undefined
        ? [missingSpec()]
        : [
            ...checkSelectorTerms(spec),
            ...checkBlockDevices(['spec', 'blockDeviceMappings'], spec.blockDeviceMappings),
            ...checkReservedMemory(['spec', 'kubelet'], spec.kubelet),
            ...checkReservedCpu(['spec', 'kubelet'], spec.kubelet),
          ];
    case 'CapacityBuffer':
      return checkBufferSize(spec);
    default:
      return [];
  }
}

/** The API does not require a spec, so it accepts an empty EC2NodeClass. */
function missingSpec(): FieldProblem {
  return launchFails(
    ['spec'],
    'must be set',
    undefined,
    'write amiSelectorTerms, subnetSelectorTerms, securityGroupSelectorTerms and role',
  );
}

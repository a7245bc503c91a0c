import { Architecture, InstanceCategory, Requirement } from '../../nodes';

export function amd64Instances(): Requirement[] {
  return generalInstances(Architecture.AMD64);
}

export function gravitonInstances(): Requirement[] {
  return generalInstances(Architecture.ARM64);
}

/** Many types, so that spot interruptions are rare, but no node whose loss moves very many pods. */
function generalInstances(architecture: Architecture): Requirement[] {
  return [
    Requirement.architecture().in(architecture),
    Requirement.instanceCategory().in(InstanceCategory.C, InstanceCategory.M, InstanceCategory.R),
    Requirement.instanceGeneration().greaterThan(4),
    Requirement.instanceCpu().greaterThan(1),
    Requirement.instanceCpu().lessThan(33),
  ];
}

export function gpuInstances(): Requirement[] {
  return [
    Requirement.architecture().in(Architecture.AMD64),
    Requirement.instanceCategory().in(InstanceCategory.G),
    Requirement.instanceGeneration().greaterThan(4),
    Requirement.instanceGpuManufacturer().in('nvidia'),
    Requirement.instanceGpuCount().lessThan(5),
  ];
}

import type { InstanceTypeDescription } from '../catalog';
import type { CheckOptions, Finding, ManifestModel, SourceFile } from '../validation';
import { InputProblem } from './io';
import { lazy } from './lazy';

export interface PoolInstanceTypes {
  readonly nodePool: string;
  /** Cheapest first. */
  readonly types: readonly InstanceTypeDescription[];
}

/** Every instance type of the catalogue, with a node class that sets nothing. */
export function describeAll(options: CheckOptions): InstanceTypeDescription[] {
  const { Catalog, DEFAULT_NODE_CLASS, describeInstanceType } = lazy.catalog;
  const table = Catalog.load(options).resolve(DEFAULT_NODE_CLASS);
  return table.names.map((_, index) => describeInstanceType(table, index));
}

/** What each NodePool of the manifests can launch, and what of the manifests could not be used. */
export function describePools(sources: readonly SourceFile[], given: CheckOptions): { pools: PoolInstanceTypes[]; problems: InputProblem[] } {
  const { inItsRegion, readManifests, scheduleInput, withoutUntoldLabels } = lazy.validation;
  const { Catalog, DEFAULT_NODE_CLASS, describeInstanceType } = lazy.catalog;
  const read = readManifests(sources, given);
  const options = inItsRegion(given, read);
  const model = withoutUntoldLabels(read, options);
  const catalog = Catalog.load(options);
  const input = { ...scheduleInput(model, options), pods: [] };
  const pools = lazy.scheduling.schedule(input, catalog).pools.map(({ name, instanceTypes, zones, capacityTypes }) => {
    const table = lazy.scheduling.poolTables(input, catalog).tables.get(name) ?? catalog.resolve(DEFAULT_NODE_CLASS);
    const index = new Map(table.names.map((type, at) => [type, at]));
    const types = instanceTypes.map((type) => {
      const description = describeInstanceType(table, index.get(type)!);
      return { ...description, offerings: description.offerings.filter((o) => zones.includes(o.zone) && capacityTypes.includes(o.capacityType)) };
    });
    return { nodePool: name, types };
  });
  return { pools, problems: [...model.problems.filter(isAboutPools), ...missingClasses(model)] };
}

/** A workload's mistakes do not change what a pool can launch. */
function isAboutPools({ severity, subject }: Finding): boolean {
  return severity === 'error' && ['', 'NodePool', 'EC2NodeClass'].includes(subject.kind);
}

function missingClasses({ nodePools, nodeClasses, cluster }: ManifestModel): InputProblem[] {
  const known = new Set([...nodeClasses, ...cluster?.nodeClasses ?? []].map(({ object }) => object.name));
  return nodePools.filter(({ nodeClassRef }) => !known.has(nodeClassRef?.name ?? '')).map(({ object }) => ({
    location: object.locate(['spec', 'template', 'spec', 'nodeClassRef']),
    message: `NodePool ${object.name} can launch nothing: its EC2NodeClass is not among the manifests`,
    remedy: 'pass the manifest of the EC2NodeClass as well',
  }));
}

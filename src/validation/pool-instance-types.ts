import { DEFAULT_NODE_CLASS, describeInstanceType, InstanceTypeDescription } from '../catalog';
import { poolTables, schedule } from '../scheduling';
import { isAutoMode } from './auto-mode';
import { ManifestModel, SourceFile } from './manifest';
import { CheckOptions } from './options';
import { Finding } from './report/verdict';
import { readScene } from './scene';

export interface PoolInstanceTypes {
  readonly nodePool: string;
  /** Cheapest first, each with the offerings that the pool allows. */
  readonly types: readonly InstanceTypeDescription[];
}

export interface LaunchableTypes {
  /** In name order; only those that can be judged. */
  readonly pools: readonly PoolInstanceTypes[];
  /** Why some can launch nothing, or cannot be judged. */
  readonly problems: ReadonlyArray<Pick<Finding, 'location' | 'message' | 'remedy'>>;
}

/**
 * What each NodePool of the manifests can launch, whatever its limits leave.
 *
 * @throws Error if an option has a value that it cannot have
 */
export function poolInstanceTypes(sources: readonly SourceFile[], given: CheckOptions): LaunchableTypes {
  const { model, catalog, input: withPods } = readScene(sources, given);
  const input = { ...withPods, pods: [] };
  const { tables } = poolTables(input, catalog);
  const pools = schedule(input, catalog).pools.map(({ name, instanceTypes, zones, capacityTypes }) => {
    const table = tables.get(name) ?? catalog.resolve(DEFAULT_NODE_CLASS);
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

function missingClasses({ nodePools, nodeClasses, cluster }: ManifestModel): LaunchableTypes['problems'] {
  const known = new Set([...nodeClasses, ...cluster?.nodeClasses ?? []].map(({ object }) => object.name));
  return nodePools.filter(({ nodeClassRef }) => !known.has(nodeClassRef?.name ?? '')).map(({ object, nodeClassRef }) => ({
    location: object.locate(['spec', 'template', 'spec', 'nodeClassRef']),
    ...isAutoMode({ nodeClassRef }) ? {
      message: `NodePool ${object.name} is launched by EKS Auto Mode, whose instance types are not known here`,
      remedy: 'leave it out',
    } : {
      message: `NodePool ${object.name} can launch nothing: its EC2NodeClass is not among the manifests`,
      remedy: 'pass the manifest of the EC2NodeClass as well',
    },
  }));
}

import { describeInstanceType, InstanceTypeDescription } from '../catalog';
import { isGateOpen } from '../contract';
import { compatibleOfferings, OverlayConflict, poolTables, schedule, templateOf } from '../scheduling';
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
  /** Sentences on what the figures take for granted. */
  readonly assumptions: readonly string[];
  /** Why some can launch nothing, or cannot be judged. */
  readonly problems: ReadonlyArray<Pick<Finding, 'location' | 'message' | 'remedy'>>;
}

/**
 * What each NodePool of the manifests can launch, whatever its limits leave.
 *
 * @throws Error if an option has a value that it cannot have
 */
export function poolInstanceTypes(sources: readonly SourceFile[], given: CheckOptions): LaunchableTypes {
  const { model, options, catalog, input: withPods } = readScene(sources, given);
  const input = { ...withPods, pods: [] };
  const index = new Map(catalog.names.map((type, at) => [type, at]));
  const specs = new Map(input.nodePools.map((pool) => [pool.name, pool]));
  const pools = schedule(input, catalog).pools.map(({ name, instanceTypes }) => {
    const template = templateOf(specs.get(name)!, input, catalog);
    if (template === undefined) return { nodePool: name, types: [] };
    const table = { ...template.table, offerings: compatibleOfferings(template.table, template.requirements) };
    return { nodePool: name, types: instanceTypes.map((type) => describeInstanceType(table, index.get(type)!)) };
  });
  const kinds = ['', 'NodePool', 'EC2NodeClass', ...isGateOpen(options.featureGates, 'NodeOverlay') ? ['NodeOverlay'] : []];
  return {
    pools,
    assumptions: catalog.assumptions,
    // A workload's mistakes do not change what a pool can launch.
    problems: [
      ...model.problems.filter(({ severity, subject }) => severity === 'error' && kinds.includes(subject.kind)),
      ...missingClasses(model),
      ...poolTables(input, catalog).conflicts.flatMap((conflict) => conflictOf(model, conflict)),
    ],
  };
}

function conflictOf({ nodeOverlays }: ManifestModel, { overlay, instanceType, what }: OverlayConflict): LaunchableTypes['problems'] {
  return nodeOverlays.filter(({ object }) => object.name === overlay).map(({ object }) => ({
    location: object.locate(['spec']),
    message: `NodeOverlay ${overlay} is not applied: another of its weight is there for the ${what} of ${instanceType}`,
    remedy: 'give the overlays different weights, or requirements that no instance type and offering meets twice',
  }));
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

import { PodGroup, ScheduleInput } from '../scheduling';
import { ManifestModel, WorkloadManifest } from './manifest';
import { CheckOptions } from './options';

/** What of the manifests the scheduler works on: all that could be read. */
export function scheduleInput(model: ManifestModel, options: CheckOptions): ScheduleInput {
  return {
    nodePools: model.nodePools.flatMap(({ spec }) => spec ?? []),
    nodeClasses: new Map(model.nodeClasses.flatMap(({ facts }) => facts ? [[facts.name, facts] as const] : [])),
    pods: model.workloads.flatMap((workload) => podGroup(workload) ?? []),
    daemonSets: model.workloads.flatMap(({ kind, namespace, name, shape }) => kind === 'DaemonSet' && shape ? [{ namespace, name, shape }] : []),
    settings: { preferencePolicy: options.preferencePolicy, minValuesPolicy: options.minValuesPolicy },
  };
}

function podGroup({ group, namespace, name, replicas, shape, kind }: WorkloadManifest): PodGroup | undefined {
  if (group === undefined || !shape) return undefined;
  return { namespace, name, count: replicas, shape, ...(kind === 'Pod' ? { bare: true } : {}) };
}

import { asRecord } from '../contract';
import { PodGroup, ScheduleInput } from '../scheduling';
import { ManifestModel, ManifestObject, WorkloadManifest } from './manifest';
import { CheckOptions } from './options';

/** What of the manifests the scheduler works on: all that could be read. */
export function scheduleInput(model: ManifestModel, options: CheckOptions): ScheduleInput {
  return {
    nodePools: model.nodePools.flatMap(({ spec }) => spec ?? []),
    nodeClasses: new Map(model.nodeClasses.flatMap(({ facts }) => facts ? [[facts.name, facts] as const] : [])),
    pods: model.workloads.flatMap((workload) => podGroup(workload) ?? []),
    daemonSets: model.workloads.flatMap(({ kind, namespace, name, shape }) => kind === 'DaemonSet' && shape ? [{ namespace, name, shape }] : []),
    namespaces: new Map(model.objects
      .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace')
      .map((object) => [object.name, labelsOf(object)])),
    settings: { preferencePolicy: options.preferencePolicy, minValuesPolicy: options.minValuesPolicy },
  };
}

function labelsOf({ raw }: ManifestObject): Record<string, string> {
  const labels = Object.entries(asRecord(asRecord(raw.metadata)?.labels) ?? {});
  return Object.fromEntries(labels.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function podGroup({ group, namespace, name, replicas, shape, kind }: WorkloadManifest): PodGroup | undefined {
  if (group === undefined || !shape) return undefined;
  return { namespace, name, count: replicas, shape, ...(kind === 'Pod' ? { bare: true } : {}) };
}

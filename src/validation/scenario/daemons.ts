import { factsOfWorkload } from './pod-facts';
import { ClusterPod } from '../../disruption';
import { DaemonSetSpec } from '../../scheduling';
import { ManifestModel, WorkloadManifest } from '../manifest/model';

const POD_PATH = ['spec', 'template', 'spec'];

/** One pod of each DaemonSet, of the manifests or of the cluster alone. */
export function daemonsOf(
  { workloads, cluster }: ManifestModel, daemonSets: readonly DaemonSetSpec[], priorities: ReadonlyMap<string, number>,
): ClusterPod[] {
  const inCluster = (cluster?.objects ?? []).filter(({ kind, apiVersion }) => kind === 'DaemonSet' && apiVersion === 'apps/v1');
  const written = [
    ...workloads.filter(({ kind }) => kind === 'DaemonSet'),
    ...inCluster.map((object) => ({ object, kind: 'DaemonSet' as const, namespace: object.namespace ?? 'default', name: object.name, podPath: POD_PATH })),
  ];
  return daemonSets.map(({ namespace, name, shape }) => {
    const own: Written | undefined = written.find((each) => each.namespace === namespace && each.name === name);
    return { namespace, name, shape, daemon: true, ...(own ? factsOfWorkload(own, priorities) : {}) };
  });
}

type Written = Pick<WorkloadManifest, 'object' | 'kind' | 'namespace' | 'name' | 'podPath'>;

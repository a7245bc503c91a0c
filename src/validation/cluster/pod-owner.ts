import { ClusterPod } from './cluster-pod';
import { ManifestObject } from '../manifest/model';

/** Names that controllers give what they make: `<name>-<hash of the template>`, `<name>-<minutes since 1970>`. */
const SCHEDULED_JOB = /-\d+$/;

/** Which of the workloads of the manifests a pod of the cluster belongs to. */
export class PodOwners {
  private readonly known = new Map<string, ManifestObject>();

  public constructor(workloads: readonly ManifestObject[]) {
    for (const workload of workloads) this.known.set(keyOf(workload.kind, workload.namespace ?? 'default', workload.name), workload);
  }

  /** Also where what stands between the two, a ReplicaSet or a Job, is in no file. */
  public of(pod: ClusterPod): ManifestObject | undefined {
    const names = [{ kind: 'Pod', name: pod.name }, ...pod.owners.flatMap(({ kind, name }) => [{ kind, name }, ...makersOf(kind, name, pod)])];
    return names.map(({ kind, name }) => this.known.get(keyOf(kind, pod.namespace, name))).find((workload) => workload !== undefined);
  }
}

function makersOf(kind: string, name: string, { labels }: ClusterPod): Array<{ kind: string; name: string }> {
  const suffix = `-${labels['pod-template-hash']}`;
  if (kind === 'ReplicaSet' && name.endsWith(suffix)) return [{ kind: 'Deployment', name: name.slice(0, -suffix.length) }];
  return kind === 'Job' && SCHEDULED_JOB.test(name) ? [{ kind: 'CronJob', name: name.replace(SCHEDULED_JOB, '') }] : [];
}

function keyOf(kind: string, namespace: string, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

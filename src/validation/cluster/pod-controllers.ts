import { ClusterPod } from './cluster-pod';
import { controllerSelectorOf } from '../manifest/default-spread';
import { ManifestObject } from '../manifest/model';
import { PodContext } from '../manifest/pod-shape';

/** Controllers whose pods are spread with those that their selector selects. */
const SELECTING: readonly string[] = ['ReplicaSet', 'StatefulSet'];

/** What made the pods of the cluster, and how it selects them. */
export class PodControllers {
  private readonly known = new Map<string, ManifestObject>();

  public constructor(objects: readonly ManifestObject[]) {
    for (const object of objects) {
      if (object.apiVersion === 'apps/v1') this.known.set(keyOf(object.kind, object.namespace ?? 'default', object.name), object);
    }
  }

  public of({ namespace, labels, owners }: ClusterPod): Pick<PodContext, 'controllerSelector' | 'unknownController'> {
    const owner = owners.find(({ kind }) => SELECTING.includes(kind));
    if (!owner) return {};
    const made = this.known.get(keyOf(owner.kind, namespace, owner.name)) ?? this.deploymentOf(owner.name, namespace, labels);
    if (made) return { controllerSelector: controllerSelectorOf(made.kind, made.raw, labels) };
    return { unknownController: `${owner.kind} ${namespace}/${owner.name}` };
  }

  /** A ReplicaSet that is in no file is told by the Deployment that made it. */
  private deploymentOf(replicaSet: string, namespace: string, labels: ClusterPod['labels']): ManifestObject | undefined {
    const suffix = `-${labels['pod-template-hash']}`;
    return replicaSet.endsWith(suffix) ? this.known.get(keyOf('Deployment', namespace, replicaSet.slice(0, -suffix.length))) : undefined;
  }
}

function keyOf(kind: string, namespace: string, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

import { SnapshotPod } from './cluster-pod';
import { ManifestObject } from '../manifest/model';
import { controllerSelectorOf } from '../manifest/workload/default-spread';
import { PodContext } from '../manifest/workload/pod-shape';

/** A CronJob names its Jobs `<name>-<minutes since 1970>`. */
const SCHEDULED_JOB = /-\d+$/;
/** Controllers whose selector decides which pods the default spread counts. */
const SELECTING_CONTROLLERS: readonly string[] = ['ReplicaSet', 'StatefulSet'];

/** Objects by kind, namespace and name. */
class NamedObjects {
  private readonly objects = new Map<string, ManifestObject>();

  public constructor(objects: readonly ManifestObject[]) {
    for (const object of objects)
      this.objects.set(keyOf(object.kind, object.namespace ?? 'default', object.name), object);
  }

  public get(kind: string, namespace: string, name: string): ManifestObject | undefined {
    return this.objects.get(keyOf(kind, namespace, name));
  }
}

/** Finds the workload of the manifests that a pod of the cluster belongs to. */
export class PodOwners {
  private readonly workloads: NamedObjects;

  public constructor(workloads: readonly ManifestObject[]) {
    this.workloads = new NamedObjects(workloads);
  }

  /** Works even if the ReplicaSet or Job between the workload and the pod is not in the input. */
  public ownerOf(pod: SnapshotPod): ManifestObject | undefined {
    const owners = [
      { kind: 'Pod', name: pod.name },
      ...pod.owners.flatMap(({ kind, name }) => [{ kind, name }, ...controllersOf(kind, name, pod)]),
    ];
    return owners
      .map(({ kind, name }) => this.workloads.get(kind, pod.namespace, name))
      .find((workload) => workload !== undefined);
  }
}

/** The Deployment or CronJob that made an owner, by the owner's name. */
function controllersOf(kind: string, name: string, { labels }: SnapshotPod): Owner[] {
  const deployment = kind === 'ReplicaSet' ? deploymentNameOf(name, labels) : undefined;
  if (deployment !== undefined) return [{ kind: 'Deployment', name: deployment }];
  return kind === 'Job' && SCHEDULED_JOB.test(name) ? [{ kind: 'CronJob', name: name.replace(SCHEDULED_JOB, '') }] : [];
}

/** A Deployment names its ReplicaSets `<name>-<template hash>`. */
function deploymentNameOf(replicaSet: string, labels: SnapshotPod['labels']): string | undefined {
  const suffix = `-${labels['pod-template-hash']}`;
  return replicaSet.endsWith(suffix) ? replicaSet.slice(0, -suffix.length) : undefined;
}

/** Finds the controller of a pod, whose selector the default spread uses. */
export class PodControllers {
  private readonly controllers: NamedObjects;

  public constructor(objects: readonly ManifestObject[]) {
    this.controllers = new NamedObjects(objects.filter(({ apiVersion }) => apiVersion === 'apps/v1'));
  }

  public spreadContextOf({
    namespace,
    labels,
    owners,
  }: SnapshotPod): Pick<PodContext, 'controllerSelector' | 'unknownController'> {
    const owner = owners.find(({ kind }) => SELECTING_CONTROLLERS.includes(kind));
    if (!owner) return {};
    const controller =
      this.controllers.get(owner.kind, namespace, owner.name) ?? this.deploymentOf(owner.name, namespace, labels);
    if (controller) return { controllerSelector: controllerSelectorOf(controller.kind, controller.raw, labels) };
    return { unknownController: `${owner.kind} ${namespace}/${owner.name}` };
  }

  /** A ReplicaSet that is not in the input has the selector of its Deployment. */
  private deploymentOf(
    replicaSet: string,
    namespace: string,
    labels: SnapshotPod['labels'],
  ): ManifestObject | undefined {
    const name = deploymentNameOf(replicaSet, labels);
    return name === undefined ? undefined : this.controllers.get('Deployment', namespace, name);
  }
}

function keyOf(kind: string, namespace: string, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

export interface Owner {
  readonly kind: string;
  readonly name: string;
}

/** The workload that a running pod belongs to, whether or not the input contains it. */
export function workloadOf(pod: SnapshotPod): Owner {
  const [owner] = pod.owners;
  if (!owner) return { kind: 'Pod', name: pod.name };
  const [controller] = controllersOf(owner.kind, owner.name, pod);
  return controller ?? { kind: owner.kind, name: owner.name };
}

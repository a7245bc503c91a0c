import { textsIn } from './chart';
import { settingsOfContainer } from './container-settings';
import { Controller } from './model';
import { asRecord } from '../../contract';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

const CONTAINER_PATH = ['spec', 'template', 'spec', 'containers'];

/** Deployments that the chart has rendered, or somebody like it: told by the image, or by the variables that none but Karpenter has. */
export function deployedControllers({ workloads }: ManifestModel): Controller[] {
  return workloads.filter(({ kind }) => kind === 'Deployment').flatMap(({ object, namespace, replicas }) => controllersOf(object, namespace, replicas));
}

/** The same of objects before they are judged, which goes by what these controllers are told. */
export function deployedBy(objects: readonly ManifestObject[]): Controller[] {
  const deployments = objects.filter(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'Deployment');
  // Of those with one identity the last stays.
  const byIdentity = new Map(deployments.map((object) => [JSON.stringify([object.namespace ?? 'default', object.name]), object]));
  return [...byIdentity.values()].flatMap((object) => controllersOf(object, object.namespace ?? 'default', asRecord(object.raw.spec)?.replicas));
}

function controllersOf(object: ManifestObject, namespace: string, replicas: unknown): Controller[] {
  const template = asRecord(asRecord(object.raw?.spec)?.template);
  const pod = asRecord(template?.spec);
  const containers = recordsOf(pod?.containers);
  const at = containers.findIndex(isController);
  const podLabels = textsIn(asRecord(template?.metadata)?.labels);
  return pod && at >= 0 ? [controllerOf({ object, namespace, replicas, podLabels }, pod, containers[at], at)] : [];
}

function isController(container: PlainRecord): boolean {
  const image = typeof container.image === 'string' ? container.image : '';
  return /(^|\/)karpenter\/controller([:@]|$)/.test(image) || recordsOf(container.env).some(({ name }) => name === 'KARPENTER_SERVICE');
}

interface Deployed extends Pick<Controller, 'object' | 'podLabels'> { readonly namespace: string; readonly replicas: unknown }

function controllerOf({ object, namespace, replicas, podLabels }: Deployed, pod: PlainRecord, container: PlainRecord, at: number): Controller {
  const version = /:v?(\d+\.\d+\.\d+)/.exec(String(container.image))?.[1];
  return {
    object,
    namespace,
    podLabels,
    ...version === undefined ? {} : { version },
    values: {
      replicas,
      serviceAccount: { name: pod.serviceAccountName },
      affinity: pod.affinity ?? {},
      nodeSelector: pod.nodeSelector ?? {},
      tolerations: pod.tolerations ?? [],
      priorityClassName: pod.priorityClassName ?? '',
      controller: { resources: container.resources ?? {} },
      settings: settingsOfContainer(container),
    },
    fromChart: false,
    complete: true,
    pathOf: (first) => first === 'settings' ? [...CONTAINER_PATH, at, 'env'] : first === 'controller' ? [...CONTAINER_PATH, at, 'resources'] : ['spec'],
  };
}

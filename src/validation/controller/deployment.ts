import { stringEntries } from './chart';
import { settingsOfContainer } from './container-settings';
import { Controller } from './model';
import { asRecord } from '../../contract';
import { valueText } from '../../model';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

const CONTAINER_PATH = ['spec', 'template', 'spec', 'containers'];

/** Karpenter's Deployments, recognised by the image, or by an environment variable that only Karpenter has. */
export function deployedControllers({ workloads }: ManifestModel): Controller[] {
  return workloads
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ object, namespace, replicas }) => controllersOf(object, namespace, replicas));
}

/** Karpenter's Deployments among raw objects, before the manifests are read with the options of these controllers. */
export function controllersDeployedBy(objects: readonly ManifestObject[]): Controller[] {
  const deployments = objects.filter(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'Deployment');
  // The last of several objects with the same namespace and name wins.
  const byIdentity = new Map(
    deployments.map((object) => [JSON.stringify([object.namespace ?? 'default', object.name]), object]),
  );
  return [...byIdentity.values()].flatMap((object) =>
    controllersOf(object, object.namespace ?? 'default', object.raw.spec?.replicas),
  );
}

function controllersOf(object: ManifestObject, namespace: string, replicas: unknown): Controller[] {
  const template = asRecord(object.raw.spec?.template);
  const pod = asRecord(template?.spec);
  const containers = recordsOf(pod?.containers);
  const index = containers.findIndex(isController);
  const podLabels = stringEntries(asRecord(template?.metadata)?.labels);
  return pod && index >= 0
    ? [controllerOf({ object, namespace, replicas, podLabels }, pod, containers[index], index)]
    : [];
}

function isController(container: PlainRecord): boolean {
  const image = typeof container.image === 'string' ? container.image : '';
  return (
    /(^|\/)karpenter\/controller([:@]|$)/.test(image) ||
    recordsOf(container.env).some(({ name }) => name === 'KARPENTER_SERVICE')
  );
}

interface Deployed extends Pick<Controller, 'object' | 'podLabels'> {
  readonly namespace: string;
  readonly replicas: unknown;
}

function controllerOf(
  { object, namespace, replicas, podLabels }: Deployed,
  pod: PlainRecord,
  container: PlainRecord,
  index: number,
): Controller {
  const version = /:v?(\d+\.\d+\.\d+)/.exec(valueText(container.image))?.[1];
  return {
    object,
    namespace,
    podLabels,
    ...(version === undefined ? {} : { version }),
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
    pathOf: (first) =>
      first === 'settings'
        ? [...CONTAINER_PATH, index, 'env']
        : first === 'controller'
          ? [...CONTAINER_PATH, index, 'resources']
          : first === 'replicas'
            ? ['spec', 'replicas']
            : ['spec'],
  };
}

import { Controller } from './model';
import { asRecord } from '../../contract';
import { ManifestModel, WorkloadManifest } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

const CONTAINER_PATH = ['spec', 'template', 'spec', 'containers'];
/** Environment variables of the controller, by the settings of the chart that make them. */
const VARIABLES: ReadonlyArray<readonly [setting: string, variable: string]> = [
  ['clusterName', 'CLUSTER_NAME'], ['interruptionQueue', 'INTERRUPTION_QUEUE'], ['isolatedVPC', 'ISOLATED_VPC'], ['enableZonalShift', 'ENABLE_ZONAL_SHIFT'],
];

/** Stands for a variable that a ConfigMap or a Secret gives. */
const FROM_ELSEWHERE = '${valueFrom}';

/** Deployments that the chart has rendered, or somebody like it: told by the image, or by the variables that none but Karpenter has. */
export function deployedControllers({ workloads }: ManifestModel): Controller[] {
  return workloads.flatMap((workload) => {
    const pod = asRecord(asRecord(asRecord(workload.object.raw?.spec)?.template)?.spec);
    const containers = recordsOf(pod?.containers);
    const at = containers.findIndex(isController);
    return workload.kind === 'Deployment' && pod && at >= 0 ? [controllerOf(workload, pod, containers[at], at)] : [];
  });
}

function isController(container: PlainRecord): boolean {
  const image = typeof container.image === 'string' ? container.image : '';
  return /(^|\/)karpenter\/controller([:@]|$)/.test(image) || recordsOf(container.env).some(({ name }) => name === 'KARPENTER_SERVICE');
}

function controllerOf({ object, namespace, replicas }: WorkloadManifest, pod: PlainRecord, container: PlainRecord, at: number): Controller {
  const variables = new Map(recordsOf(container.env).map(({ name, value, valueFrom }) => [name, valueFrom === undefined ? value : FROM_ELSEWHERE]));
  const others = recordsOf(container.envFrom).length > 0 ? FROM_ELSEWHERE : '';
  const version = /:v?(\d+\.\d+\.\d+)/.exec(String(container.image))?.[1];
  return {
    object,
    namespace,
    ...version === undefined ? {} : { version },
    values: {
      replicas,
      serviceAccount: { name: pod.serviceAccountName },
      affinity: pod.affinity ?? {},
      nodeSelector: pod.nodeSelector ?? {},
      tolerations: pod.tolerations ?? [],
      priorityClassName: pod.priorityClassName ?? '',
      controller: { resources: container.resources ?? {} },
      settings: Object.fromEntries(VARIABLES.map(([setting, variable]) => [setting, variables.get(variable) ?? others])),
    },
    fromChart: false,
    complete: true,
    pathOf: (first) => first === 'settings' ? [...CONTAINER_PATH, at, 'env'] : first === 'controller' ? [...CONTAINER_PATH, at, 'resources'] : ['spec'],
  };
}

import { requiredServices, RequiredService } from './required-services';
import { asRecord } from '../../contract';
import { listText, memoizeByIdentity } from '../../model';
import { ManifestModel, WorkloadManifest } from '../manifest/model';

/** What a critical workload does for the cluster. */
export interface CriticalTask {
  readonly text: string;
  /** The resources that cannot change without the workload. @default - the whole cluster is affected */
  readonly part?: string;
}

const CLUSTER_CRITICAL = 'system-cluster-critical';

/** Tasks of well-known components, by the name label that their charts and manifests give to their pods. */
const TASKS_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['kube-dns', 'answers all DNS queries of the cluster'],
  ['coredns', 'answers all DNS queries of the cluster'],
  ['karpenter', 'launches all nodes'],
  ['aws-load-balancer-controller', 'updates the targets of load balancers'],
  ['ebs-csi-controller', 'attaches the volumes of all pods'],
  ['efs-csi-controller', 'provisions the volumes of all pods'],
]);
const NAME_LABELS = ['k8s-app', 'app.kubernetes.io/name', 'app'];
/** The critical workloads with their tasks. */
export const criticalTasks = memoizeByIdentity((model: ManifestModel): ReadonlyMap<WorkloadManifest, CriticalTask> => {
  const services = requiredServices(model);
  const tasks = model.workloads
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .flatMap((workload) => {
      const task = knownTask(workload) ?? webhookTask(workload, services) ?? priorityTask(workload);
      return task === undefined ? [] : [[workload, task] as const];
    });
  return new Map(tasks);
});

function knownTask({ podLabels }: WorkloadManifest): CriticalTask | undefined {
  return NAME_LABELS.flatMap((label) => TASKS_BY_NAME.get(podLabels[label] ?? '') ?? []).map((text) => ({ text }))[0];
}

function priorityTask({ podPath, object }: WorkloadManifest): CriticalTask | undefined {
  const spec = podPath.reduce<unknown>((value, key) => asRecord(value)?.[key], object.raw);
  return asRecord(spec)?.priorityClassName === CLUSTER_CRITICAL
    ? { text: `has priority class ${CLUSTER_CRITICAL}` }
    : undefined;
}

/** The task of the webhooks that the workload serves. A webhook for all resources determines the text. */
function webhookTask(workload: WorkloadManifest, services: readonly RequiredService[]): CriticalTask | undefined {
  const { namespace, podLabels } = workload;
  const ownServices = services.filter(
    (service) =>
      service.namespace === namespace &&
      Object.entries(service.selector).every(([key, value]) => podLabels[key] === value),
  );
  const [first] = [...ownServices.filter((service) => !service.resources), ...ownServices];
  if (!first) return undefined;
  const text = `serves ${first.webhook}, without which the API server refuses requests`;
  const resources = first.resources && [...new Set(ownServices.flatMap((service) => service.resources ?? []))].sort();
  return resources ? { text: `${text} for ${listText(resources)}`, part: listText(resources) } : { text };
}

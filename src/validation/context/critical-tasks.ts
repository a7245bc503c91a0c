import { asRecord } from '../../contract';
import { listText, memoizeByIdentity, valueText } from '../../model';
import { ManifestModel, WorkloadManifest, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf, scalarText } from '../manifest/records';

const WEBHOOKS: readonly string[] = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];

/** The Service of a webhook without which the API server refuses requests. */
interface RequiredService {
  readonly webhook: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, unknown>>;
  /**
   * The resources that the webhook admits.
   * @default - also pods, nodes or other resources that the cluster needs to run
   */
  readonly resources?: readonly string[];
}

/** The Services of webhooks with failurePolicy Fail, which is the default. */
function requiredServices({ objects }: ManifestModel): RequiredService[] {
  const byName = new Map(
    objects
      .filter(({ kind, apiVersion }) => kind === 'Service' && apiVersion === 'v1')
      .map((object) => [keyOf(object.namespace, object.name), object]),
  );
  return objects
    .filter(({ kind }) => WEBHOOKS.includes(kind))
    .flatMap((configuration) =>
      recordsOf(configuration.raw.webhooks).flatMap((webhook) => {
        const reference = asRecord(asRecord(webhook.clientConfig)?.service);
        if (!reference || (webhook.failurePolicy ?? 'Fail') !== 'Fail') return [];
        const selector = asRecord(asRecord(byName.get(keyOf(reference.namespace, reference.name))?.raw.spec)?.selector);
        if (!selector || Object.keys(selector).length === 0) return [];
        return [
          {
            ...requiredService(configuration, scalarText(reference.namespace ?? 'default'), selector),
            resources: resourcesOf(webhook),
          },
        ];
      }),
    );
}

function requiredService(
  { kind, name }: ManifestObject,
  namespace: string,
  selector: RequiredService['selector'],
): RequiredService {
  return { webhook: `${kind} ${name}`, namespace, selector };
}

/**
 * The resources that the webhook admits; undefined if the cluster needs some of them to run pods, or if its rules do
 * not say.
 */
function resourcesOf({ rules }: PlainRecord): readonly string[] | undefined {
  const scopes = recordsOf(rules).map(({ apiGroups, resources }) => ({
    groups: listOf(apiGroups),
    resources: listOf(resources),
  }));
  const groups = scopes.flatMap((rule) => rule.groups);
  if (groups.length === 0 || !groups.every(isIndependent)) return undefined;
  return scopes
    .flatMap((rule) =>
      rule.resources.flatMap((resource) => (valueText(resource).startsWith('*') ? rule.groups : resource)),
    )
    .map(valueText);
}

function listOf(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

/** Whether pods and nodes run without objects of the API group: custom resources except Karpenter's, and Ingresses. */
function isIndependent(group: unknown): boolean {
  if (typeof group !== 'string' || !group.includes('.') || group.startsWith('karpenter.')) return false;
  return group === 'networking.k8s.io' || !group.endsWith('.k8s.io');
}

function keyOf(namespace: unknown, name: unknown): string {
  return `${scalarText(namespace ?? 'default')}/${scalarText(name)}`;
}

/** What a critical workload does for the cluster. */
export interface CriticalTask {
  readonly text: string;
  /** The resources that cannot change without the workload. @default - the whole cluster is affected */
  readonly part?: string;
  /** Whether only the priority class says that the workload is critical. @default false */
  readonly isDeclared?: boolean;
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
/** Components whose manifests have the priority class of critical ones, although the cluster runs without them. */
const BRIEFLY_MISSED: readonly string[] = ['metrics-server', 'kube-state-metrics', 'cluster-autoscaler', 'goldilocks'];
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

function priorityTask({ podPath, object, podLabels }: WorkloadManifest): CriticalTask | undefined {
  if (NAME_LABELS.some((label) => BRIEFLY_MISSED.includes(podLabels[label] ?? ''))) return undefined;
  const spec = podPath.reduce<unknown>((value, key) => asRecord(value)?.[key], object.raw);
  return asRecord(spec)?.priorityClassName === CLUSTER_CRITICAL
    ? { text: `has priority class ${CLUSTER_CRITICAL}`, isDeclared: true }
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

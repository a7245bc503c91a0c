import { podSpecOf } from './pod-constraints';
import { asRecord } from '../../../contract';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { recordsOf, textOf } from '../../manifest/records';

const WEBHOOKS: readonly string[] = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];
const CLUSTER_CRITICAL = 'system-cluster-critical';
/** What they do, by the labels that their charts and manifests give to their pods. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['kube-dns', 'answers all DNS queries of the cluster'],
  ['coredns', 'answers all DNS queries of the cluster'],
  ['karpenter', 'launches all nodes'],
  ['aws-load-balancer-controller', 'keeps the targets of load balancers'],
  ['ebs-csi-controller', 'attaches the volumes of all pods'],
  ['efs-csi-controller', 'provisions the volumes of all pods'],
]);
const NAME_LABELS = ['k8s-app', 'app.kubernetes.io/name', 'app'];

/** What the cluster has them for, of those that it cannot do without. */
export function criticalTasks(model: ManifestModel): ReadonlyMap<WorkloadManifest, string> {
  const services = servicesThatMustAnswer(model);
  const tasks = model.workloads.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet').flatMap((workload) => {
    const task = knownTask(workload) ?? webhookTask(workload, services) ?? priorityTask(workload);
    return task === undefined ? [] : [[workload, task] as const];
  });
  return new Map(tasks);
}

function knownTask({ podLabels }: WorkloadManifest): string | undefined {
  return NAME_LABELS.flatMap((label) => KNOWN.get(podLabels[label] ?? '') ?? [])[0];
}

function priorityTask(workload: WorkloadManifest): string | undefined {
  return podSpecOf(workload)?.priorityClassName === CLUSTER_CRITICAL ? `has the priority ${CLUSTER_CRITICAL}` : undefined;
}

interface MustAnswer {
  readonly webhook: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, unknown>>;
}

function webhookTask({ namespace, podLabels }: WorkloadManifest, services: readonly MustAnswer[]): string | undefined {
  const asked = services.find((service) => service.namespace === namespace
    && Object.entries(service.selector).every(([key, value]) => podLabels[key] === value));
  return asked && `answers ${asked.webhook}, without which the API server refuses requests`;
}

/** Of webhooks whose silence is a refusal, which is what they say unless told otherwise. */
function servicesThatMustAnswer({ objects }: ManifestModel): MustAnswer[] {
  const byName = new Map(objects.filter(({ kind, apiVersion }) => kind === 'Service' && apiVersion === 'v1').map((object) => [keyOf(object.namespace, object.name), object]));
  return objects.filter(({ kind }) => WEBHOOKS.includes(kind)).flatMap((configuration) => recordsOf(configuration.raw.webhooks).flatMap((webhook) => {
    const reference = asRecord(asRecord(webhook.clientConfig)?.service);
    if (!reference || (webhook.failurePolicy ?? 'Fail') !== 'Fail') return [];
    const selector = asRecord(asRecord(byName.get(keyOf(reference.namespace, reference.name))?.raw.spec)?.selector);
    return selector && Object.keys(selector).length > 0 ? [mustAnswer(configuration, textOf(reference.namespace ?? 'default'), selector)] : [];
  }));
}

function mustAnswer({ kind, name }: ManifestObject, namespace: string, selector: MustAnswer['selector']): MustAnswer {
  return { webhook: `${kind} ${name}`, namespace, selector };
}

function keyOf(namespace: unknown, name: unknown): string {
  return `${textOf(namespace ?? 'default')}/${textOf(name)}`;
}

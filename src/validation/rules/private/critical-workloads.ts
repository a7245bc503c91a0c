import { podSpecOf } from './pod-constraints';
import { joinNames } from './wording';
import { asRecord } from '../../../contract';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { PlainRecord, recordsOf, textOf } from '../../manifest/records';

/** What the cluster has a workload for, that it cannot do without. */
export interface CriticalTask {
  readonly text: string;
  /** What of the cluster goes without, where that is not all of it. */
  readonly part?: string;
}

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
export function criticalTasks(model: ManifestModel): ReadonlyMap<WorkloadManifest, CriticalTask> {
  const services = servicesThatMustAnswer(model);
  const tasks = model.workloads.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet').flatMap((workload) => {
    const task = knownTask(workload) ?? webhookTask(workload, services) ?? priorityTask(workload);
    return task === undefined ? [] : [[workload, task] as const];
  });
  return new Map(tasks);
}

function knownTask({ podLabels }: WorkloadManifest): CriticalTask | undefined {
  return NAME_LABELS.flatMap((label) => KNOWN.get(podLabels[label] ?? '') ?? []).map((text) => ({ text }))[0];
}

function priorityTask(workload: WorkloadManifest): CriticalTask | undefined {
  return podSpecOf(workload)?.priorityClassName === CLUSTER_CRITICAL ? { text: `has the priority ${CLUSTER_CRITICAL}` } : undefined;
}

interface MustAnswer {
  readonly webhook: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, unknown>>;
  /** The resources that it is asked about, where the cluster runs on without them. */
  readonly about?: readonly string[];
}

/** That of the most requests, of several. */
function webhookTask(workload: WorkloadManifest, services: readonly MustAnswer[]): CriticalTask | undefined {
  const { namespace, podLabels } = workload;
  const asked = services.filter((service) => service.namespace === namespace
    && Object.entries(service.selector).every(([key, value]) => podLabels[key] === value));
  const [first] = [...asked.filter(({ about }) => !about), ...asked];
  if (!first) return undefined;
  const text = `answers ${first.webhook}, without which the API server refuses requests`;
  const about = first.about && [...new Set(asked.flatMap((service) => service.about ?? []))].sort();
  return about ? { text: `${text} for ${joinNames(about)}`, part: joinNames(about) } : { text };
}

/** Of webhooks whose silence is a refusal, which is what they say unless told otherwise. */
function servicesThatMustAnswer({ objects }: ManifestModel): MustAnswer[] {
  const byName = new Map(objects.filter(({ kind, apiVersion }) => kind === 'Service' && apiVersion === 'v1').map((object) => [keyOf(object.namespace, object.name), object]));
  return objects.filter(({ kind }) => WEBHOOKS.includes(kind)).flatMap((configuration) => recordsOf(configuration.raw.webhooks).flatMap((webhook) => {
    const reference = asRecord(asRecord(webhook.clientConfig)?.service);
    if (!reference || (webhook.failurePolicy ?? 'Fail') !== 'Fail') return [];
    const selector = asRecord(asRecord(byName.get(keyOf(reference.namespace, reference.name))?.raw.spec)?.selector);
    return selector && Object.keys(selector).length > 0 ? [{ ...mustAnswer(configuration, textOf(reference.namespace ?? 'default'), selector), about: resourcesOf(webhook) }] : [];
  }));
}

function mustAnswer({ kind, name }: ManifestObject, namespace: string, selector: MustAnswer['selector']): MustAnswer {
  return { webhook: `${kind} ${name}`, namespace, selector };
}

/** Undefined where it is asked about pods, nodes or anything else that these need, or nobody knows about what. */
function resourcesOf({ rules }: PlainRecord): readonly string[] | undefined {
  const asked = recordsOf(rules).map(({ apiGroups, resources }) => ({ groups: listOf(apiGroups), resources: listOf(resources) }));
  const groups = asked.flatMap((rule) => rule.groups);
  if (groups.length === 0 || !groups.every(isApart)) return undefined;
  return asked.flatMap((rule) => rule.resources.flatMap((resource) => `${resource}`.startsWith('*') ? rule.groups : resource)).map(String);
}

function listOf(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

/** Groups of objects that no pod or node waits for: those of custom resources, Karpenter's own aside, and of Ingresses. */
function isApart(group: unknown): boolean {
  if (typeof group !== 'string' || !group.includes('.') || group.startsWith('karpenter.')) return false;
  return group === 'networking.k8s.io' || !group.endsWith('.k8s.io');
}

function keyOf(namespace: unknown, name: unknown): string {
  return `${textOf(namespace ?? 'default')}/${textOf(name)}`;
}

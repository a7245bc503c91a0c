import { Evaluator, isPlaceholder } from './hcl/evaluate';
import { Block, Body } from './hcl/syntax';
import { asRecord } from '../../../../contract';
import { valueText } from '../../../../model';
import { PlainRecord } from '../../records';

/** Resources of the provider `kubernetes` that are read, without a suffix such as `_v1`, and what they make. */
const KINDS: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  deployment: ['apps/v1', 'Deployment'],
  stateful_set: ['apps/v1', 'StatefulSet'],
  daemonset: ['apps/v1', 'DaemonSet'],
  daemon_set: ['apps/v1', 'DaemonSet'],
  job: ['batch/v1', 'Job'],
  cron_job: ['batch/v1', 'CronJob'],
  pod: ['v1', 'Pod'],
  persistent_volume_claim: ['v1', 'PersistentVolumeClaim'],
  pod_disruption_budget: ['policy/v1', 'PodDisruptionBudget'],
  horizontal_pod_autoscaler: ['autoscaling/v2', 'HorizontalPodAutoscaler'],
};
const RESOURCE = new RegExp(`^kubernetes_(${Object.keys(KINDS).join('|')})(?:_v\\d\\w*)?$`);

/** Whether a text may have such a block. */
export const OBJECT_BLOCK = new RegExp(
  `^resource[ \\t]+"kubernetes_(?:${Object.keys(KINDS).join('|')})(?:_v\\d\\w*)?"`,
  'm',
);

/** Blocks that become a list, with the names of the lists if these have another name. */
const LISTS: Readonly<Record<string, string>> = {
  container: 'containers',
  init_container: 'initContainers',
  volume: 'volumes',
  volume_mount: 'volumeMounts',
  volume_device: 'volumeDevices',
  volume_claim_template: 'volumeClaimTemplates',
  env: 'env',
  env_from: 'envFrom',
  port: 'ports',
  toleration: 'tolerations',
  topology_spread_constraint: 'topologySpreadConstraints',
  image_pull_secrets: 'imagePullSecrets',
  host_aliases: 'hostAliases',
  readiness_gate: 'readinessGates',
  http_header: 'httpHeaders',
  items: 'items',
  sources: 'sources',
  match_expressions: 'matchExpressions',
  match_fields: 'matchFields',
  node_selector_term: 'nodeSelectorTerms',
  preferred_during_scheduling_ignored_during_execution: 'preferredDuringSchedulingIgnoredDuringExecution',
  metric: 'metrics',
  policy: 'policies',
  rule: 'rules',
  on_pod_condition: 'onPodConditions',
  option: 'options',
  sysctl: 'sysctls',
};
/** An object of node affinity, and a list of pod affinity. */
const REQUIRED = 'required_during_scheduling_ignored_during_execution';
/** Fields with capitals that their names in Terraform do not have. */
const FIELDS: Readonly<Record<string, string>> = {
  host_ipc: 'hostIPC',
  host_pid: 'hostPID',
  host_ip: 'hostIP',
  volume_id: 'volumeID',
  target_cpu_utilization_percentage: 'targetCPUUtilizationPercentage',
};
/** A loop over these blocks changes nothing that is judged. */
const HARMLESS = ['env', 'env_from', 'port', 'volume_mount', 'image_pull_secrets', 'host_aliases'];
/** Terraform takes numbers as text, and text as numbers. These are text for the API server. */
const TEXTS = ['values', 'name', 'image', 'args', 'command', 'schedule', 'key'];
/** Blocks whose `value` is text. */
const WITH_TEXT = ['env', 'http_header', 'toleration', 'option', 'sysctl'];

/**
 * The workload that a block of the provider `kubernetes` makes, or an object that decides about its pods. Undefined for
 * any other block. If only Terraform knows the name, it is the label of the block.
 *
 * @see https://registry.terraform.io/providers/hashicorp/kubernetes/latest/docs/resources/deployment_v1
 */
export function blockObject(
  { type, labels, body }: Block,
  text: string,
  evaluator: Evaluator,
): PlainRecord | undefined {
  const [resource = '', label = ''] = labels;
  const match = type === 'resource' ? RESOURCE.exec(resource) : null;
  if (!match) return undefined;
  const [newest, kind] = KINDS[match[1]];
  const read = (name: string) => {
    const block = body.blocks.find((one) => one.type === name);
    return block && fieldsOf(block.body, name, text, evaluator);
  };
  const metadata = read('metadata') ?? {};
  const { name, generateName, ...others } = metadata;
  const isKnown = typeof name === 'string' && !name.includes('${');
  const spec = read('spec') ?? {};
  const apiVersion = spec.targetCPUUtilizationPercentage === undefined ? newest : 'autoscaling/v1';
  return { apiVersion, kind, metadata: { ...others, name: isKnown ? name : label }, spec };
}

function fieldsOf(body: Body, around: string, text: string, evaluator: Evaluator): PlainRecord {
  const fields: Record<string, unknown> = Object.create(null);
  for (const { name, value } of body.attributes) {
    const known = evaluator.valueOf({ expression: value, text });
    const isText = TEXTS.includes(name) || (name === 'value' && WITH_TEXT.includes(around));
    if (known !== null && known !== undefined) fields[fieldName(name)] = isText ? asText(known) : numbered(known);
  }
  for (const block of body.blocks) {
    const name = block.type === 'dynamic' ? (block.labels[0] ?? '') : block.type;
    const list = listName(name, around);
    const field = list ?? fieldName(name);
    if (block.type === 'dynamic') {
      if (!HARMLESS.includes(name)) fields[field] = `\${dynamic.${name}}`;
      continue;
    }
    if (isPlaceholder(fields[field])) continue;
    const inner = fieldsOf(block.body, name, text, evaluator);
    fields[field] = list === undefined ? inner : [...((fields[field] as PlainRecord[] | undefined) ?? []), inner];
  }
  return fields;
}

function listName(block: string, around: string): string | undefined {
  if (block === REQUIRED) return around === 'node_affinity' ? undefined : fieldName(block);
  return Object.hasOwn(LISTS, block) ? LISTS[block] : undefined;
}

function fieldName(name: string): string {
  return Object.hasOwn(FIELDS, name)
    ? FIELDS[name]
    : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Terraform makes text of all values in a map. */
function numbered(value: unknown): unknown {
  const record = asRecord(value);
  if (record) return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, asText(item)]));
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  return typeof value === 'number' || typeof value === 'boolean' ? valueText(value) : value;
}

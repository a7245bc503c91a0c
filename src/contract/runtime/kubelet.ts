/**
 * Rules for `spec.kubelet` of an EC2NodeClass since 1.15, where the API server takes any map: all of this is
 * Karpenter's own check, and a class that fails it launches no node.
 *
 * Sources: ValidateKubeletConfig in pkg/apis/v1/kubeletconfiguration_validation.go, and Reconcile in
 * pkg/controllers/nodeclass/validation.go of Karpenter for AWS 1.15.1.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FieldPath, FieldProblem } from '../field-problem';
import { likelyName, prepare, Schema, UnknownField, validate } from '../schema';
import { asRecord } from '../value-rule';
import { checkExpressions, refuseExpressions } from './kubelet-expressions';
import { checkKubeletSettings } from './kubelet-settings';
import { notReady } from './not-ready';

/** Settings that Karpenter itself understands; AMI families other than AL2023 and Custom take no others. */
const MANAGED_FIELDS: readonly string[] = [
  'clusterDNS', 'maxPods', 'podsPerCore', 'systemReserved', 'kubeReserved', 'evictionHard', 'evictionSoft', 'evictionSoftGracePeriod',
  'evictionMaxPodGracePeriod', 'imageGCHighThresholdPercent', 'imageGCLowThresholdPercent', 'cpuCFSQuota',
];
/** These take every setting: the one writes them all down for the kubelet, the other none. */
const OPEN_FAMILIES: readonly string[] = ['AL2023', 'Custom'];

let schema: Schema | undefined;

/**
 * @param family what the class's AMI family comes to, its alias included
 * @param expressions whether the feature gate for them is on
 */
export function checkKubelet(path: FieldPath, raw: unknown, family: string | undefined, expressions: boolean): FieldProblem[] {
  const kubelet = asRecord(raw);
  if (!kubelet || Object.keys(kubelet).length === 0) return [];
  const misfits = [...checkTypes(path, kubelet), ...checkKubeletSettings(path, kubelet)];
  if (misfits.length > 0) return misfits;
  const ofExpressions = expressions ? checkExpressions(path, kubelet, family) : refuseExpressions(path, kubelet);
  return [...ofExpressions, ...checkKubeletOfFamily(path, kubelet, family)];
}

function checkTypes(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  schema ??= (JSON.parse(readFileSync(join(__dirname, '../../../data/kubelet-configuration.json'), 'utf8')) as { schema: Schema }).schema;
  // A text there is an expression.
  const literal = typeof kubelet.maxPods === 'string' ? { ...kubelet, maxPods: 0 } : kubelet;
  const { value, unknown } = prepare(literal, schema, path);
  return [
    ...unknown.map(unknownSetting),
    ...validate(path, value, schema).map(({ path: at, problem, got, remedy }) => notReady(at, problem, got, remedy)),
  ];
}

function unknownSetting({ path, value, known }: UnknownField): FieldProblem {
  const name = String(path[path.length - 1]);
  const meant = likelyName(name, known);
  return notReady(path, 'is no setting of the kubelet', value, meant === undefined ? 'remove it' : `write ${meant}`);
}

/** @param family undefined where it is not known */
export function checkKubeletOfFamily(path: FieldPath, kubelet: Readonly<Record<string, unknown>>, family: string | undefined): FieldProblem[] {
  if (family === undefined || OPEN_FAMILIES.includes(family)) return [];
  const dropped = Object.keys(kubelet).filter((field) => !MANAGED_FIELDS.includes(field) || (field === 'podsPerCore' && family === 'Bottlerocket'));
  const { clusterDNS } = kubelet;
  return [
    ...dropped.map((field) => notReady([...path, field], `must be absent with the AMI family ${family}, which does not hand it to the kubelet`, kubelet[field], 'remove it, or use AL2023')),
    ...(Array.isArray(clusterDNS) && clusterDNS.length > 1 ?
      [notReady([...path, 'clusterDNS'], `must hold one address with the AMI family ${family}`, clusterDNS, 'keep one of them, or use AL2023')] : []),
  ];
}

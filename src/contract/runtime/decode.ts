/**
 * Values that the schema's patterns let through, and that Karpenter then cannot read into its own types: its watch of
 * the whole kind stops at such an object.
 *
 * Sources: pkg/apis/v1/{nodepool,nodeclaim,duration}.go, pkg/apis/v1alpha1/nodeoverlay.go and
 * pkg/apis/autoscaling/v1beta1 of sigs.k8s.io/karpenter v1.15.0; pkg/apis/v1/ec2nodeclass.go of Karpenter for AWS
 * 1.15.1.
 */
import { parseGoDuration } from '../../model';
import { FieldPath, FieldProblem } from '../field-problem';
import { compareKarpenterVersions, OPEN_KUBELET_SINCE } from '../karpenter-version';
import { asRecord } from '../value-rule';
import { notReady } from './not-ready';

type Reader = (value: unknown) => boolean;
/** Steps to a field; `*` is every item or entry. */
type FieldPattern = readonly [path: string, readable: Reader, what: string];

/** Exponents are whole, and there are digits; amounts beyond all bounds are cut. */
const QUANTITY: Reader = (value) => typeof value === 'number' ||
  (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,18})?$/.test(value));
const DURATION: Reader = (value) => typeof value === 'string' && parseGoDuration(value) !== undefined;
const DURATION_OR_NEVER: Reader = (value) => value === 'Never' || DURATION(value);
const TIME: Reader = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);

const A_QUANTITY = 'a quantity that Kubernetes can read';
const A_DURATION = 'a duration of at most 292 years';
const A_TIME = 'a time in the form of RFC 3339';

const NODE_FIELDS = (at: string): FieldPattern[] => [
  [`${at}.expireAfter`, DURATION_OR_NEVER, A_DURATION],
  [`${at}.terminationGracePeriod`, DURATION, A_DURATION],
  [`${at}.taints.*.timeAdded`, TIME, A_TIME],
  [`${at}.startupTaints.*.timeAdded`, TIME, A_TIME],
];

const FIELDS: Readonly<Record<string, readonly FieldPattern[]>> = {
  NodePool: [
    ...NODE_FIELDS('spec.template.spec'),
    ['spec.disruption.consolidateAfter', DURATION_OR_NEVER, A_DURATION],
    ['spec.disruption.budgets.*.duration', DURATION, A_DURATION],
    ['spec.limits.*', QUANTITY, A_QUANTITY],
  ],
  NodeClaim: [...NODE_FIELDS('spec'), ['spec.resources.requests.*', QUANTITY, A_QUANTITY]],
  EC2NodeClass: [['spec.blockDeviceMappings.*.ebs.volumeSize', QUANTITY, A_QUANTITY]],
  NodeOverlay: [['spec.capacity.*', QUANTITY, A_QUANTITY]],
  CapacityBuffer: [['spec.limits.*', QUANTITY, A_QUANTITY]],
};

/** While `spec.kubelet` had a schema, Karpenter had a type for it. */
const KUBELET_FIELDS: readonly FieldPattern[] = [['spec.kubelet.evictionSoftGracePeriod.*', DURATION, A_DURATION]];

export function checkReadable(kind: string, object: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  const fields = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : [];
  const further = kind === 'EC2NodeClass' && compareKarpenterVersions(version, OPEN_KUBELET_SINCE) < 0 ? KUBELET_FIELDS : [];
  return [...fields, ...further].flatMap(([pattern, readable, what]) => valuesAt(object, pattern.split('.'), [])
    .filter(({ value }) => !readable(value))
    .map(({ path, value }) => notReady(path, `must be ${what}`, value, `write ${what}: with this one, Karpenter can read no ${kind} at all`)));
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[], path: FieldPath): Array<{ path: FieldPath; value: unknown }> {
  if (value === undefined || value === null) return [];
  if (step === undefined) return [{ path, value }];
  if (Array.isArray(value)) return step === '*' ? value.flatMap((item, i) => valuesAt(item, rest, [...path, i])) : [];
  return Object.entries(asRecord(value) ?? {}).filter(([name]) => step === '*' || name === step).flatMap(([name, item]) => valuesAt(item, rest, [...path, name]));
}

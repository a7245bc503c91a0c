/**
 * Values that match the schema's patterns but cannot be decoded into Karpenter's Go types. One such object stops
 * Karpenter's watch of the whole kind.
 *
 * Sources: pkg/apis/v1/{nodepool,nodeclaim,duration}.go, pkg/apis/v1alpha1/nodeoverlay.go and
 * pkg/apis/autoscaling/v1beta1 of sigs.k8s.io/karpenter v1.15.0; pkg/apis/v1/ec2nodeclass.go of Karpenter for AWS
 * 1.15.1.
 */
import { parseGoDuration } from '../../model';
import { asRecord, FieldPath, FieldProblem, notReady } from '../field-problem';
import { compareKarpenterVersions, OPEN_KUBELET_SINCE } from '../karpenter-version';

type Decoder = (value: unknown) => boolean;
/** In a path, `*` stands for every list item or map entry. */
type FieldPattern = readonly [path: string, isDecodable: Decoder, description: string];

/** At least one digit, and an integer exponent. Kubernetes caps larger amounts instead of rejecting them. */
const QUANTITY: Decoder = (value) =>
  typeof value === 'number' ||
  (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,18})?$/.test(value));
const DURATION: Decoder = (value) => typeof value === 'string' && parseGoDuration(value) !== undefined;
const DURATION_OR_NEVER: Decoder = (value) => value === 'Never' || DURATION(value);
const TIME: Decoder = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);

const A_QUANTITY = 'a quantity that Kubernetes can parse';
const A_DURATION = 'a duration of at most 292 years';
const A_TIME = 'a time in RFC 3339 format';

const nodeFields = (path: string): FieldPattern[] => [
  [`${path}.expireAfter`, DURATION_OR_NEVER, A_DURATION],
  [`${path}.terminationGracePeriod`, DURATION, A_DURATION],
  [`${path}.taints.*.timeAdded`, TIME, A_TIME],
  [`${path}.startupTaints.*.timeAdded`, TIME, A_TIME],
];

const FIELDS: Readonly<Record<string, readonly FieldPattern[]>> = {
  NodePool: [
    ...nodeFields('spec.template.spec'),
    ['spec.disruption.consolidateAfter', DURATION_OR_NEVER, A_DURATION],
    ['spec.disruption.budgets.*.duration', DURATION, A_DURATION],
    ['spec.limits.*', QUANTITY, A_QUANTITY],
  ],
  NodeClaim: [...nodeFields('spec'), ['spec.resources.requests.*', QUANTITY, A_QUANTITY]],
  EC2NodeClass: [['spec.blockDeviceMappings.*.ebs.volumeSize', QUANTITY, A_QUANTITY]],
  NodeOverlay: [['spec.capacity.*', QUANTITY, A_QUANTITY]],
  CapacityBuffer: [['spec.limits.*', QUANTITY, A_QUANTITY]],
};

/** Until 1.14, `spec.kubelet` had a Go type. */
const KUBELET_FIELDS: readonly FieldPattern[] = [['spec.kubelet.evictionSoftGracePeriod.*', DURATION, A_DURATION]];

export function checkDecodable(
  kind: string,
  object: Readonly<Record<string, unknown>>,
  version: string,
): FieldProblem[] {
  const fields = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : [];
  const kubeletFields =
    kind === 'EC2NodeClass' && compareKarpenterVersions(version, OPEN_KUBELET_SINCE) < 0 ? KUBELET_FIELDS : [];
  return [...fields, ...kubeletFields].flatMap(([pattern, isDecodable, description]) =>
    valuesAt(object, pattern.split('.'), [])
      .filter(({ value }) => !isDecodable(value))
      .map(({ path, value }) =>
        notReady(
          path,
          `must be ${description}`,
          value,
          `write ${description}: this value stops Karpenter from reading any ${kind}`,
        ),
      ),
  );
}

function valuesAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  path: FieldPath,
): Array<{ path: FieldPath; value: unknown }> {
  if (value === undefined || value === null) return [];
  if (step === undefined) return [{ path, value }];
  if (Array.isArray(value)) return step === '*' ? value.flatMap((item, i) => valuesAt(item, rest, [...path, i])) : [];
  return Object.entries(asRecord(value) ?? {})
    .filter(([name]) => step === '*' || name === step)
    .flatMap(([name, item]) => valuesAt(item, rest, [...path, name]));
}

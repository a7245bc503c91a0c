/**
 * The checks of an EC2NodeClass by Karpenter for AWS that need no AWS call.
 *
 * Sources: pkg/controllers/nodeclass/validation.go and pkg/providers/nvidiadra of 1.15.1; RestrictedTagPatterns in
 * pkg/apis/v1/labels.go, and GetTags in pkg/utils/utils.go, both of 1.1 to 1.15.1.
 */
import { parseIntegerLikeGo } from '../../model';
import { amiFamilyOfClass } from '../ami-family';
import { FeatureGates, isGateEnabled } from '../feature-gate';
import { asRecord, FieldProblem, launchFails, notReady } from '../field-problem';
import { compareKarpenterVersions, OPEN_KUBELET_SINCE } from '../karpenter-version';
import { checkKubelet } from './kubelet';

const TAGS_SINCE = '1.1.0';

const RESTRICTED_TAGS: readonly RegExp[] = [
  /^kubernetes\.io\/cluster\/[0-9A-Za-z][A-Za-z0-9\-_]*$/,
  /^(karpenter\.sh\/nodepool|eks:eks-cluster-name|karpenter\.k8s\.aws\/ec2nodeclass|karpenter\.sh\/nodeclaim)$/,
];
/** EC2 counts the bytes before they are encoded as base64. */
const MAX_USER_DATA_BYTES = 16_384;
/** Families whose rendered user data contains `userData` as it is. Bottlerocket settings are parsed and rewritten. */
const VERBATIM_USER_DATA = /^(AL2|AL2023|Custom|Windows\d+)$/;
const PLACEHOLDER = /\$\{[^{}]*\}/g;
const GPU_SHARING = 'karpenter.k8s.aws/nvidia-consumable-capacity';
const GPU_SHARING_MODES: readonly string[] = ['memory', 'unlimited'];

type Fields = Readonly<Record<string, unknown>>;

export function checkNodeClass(object: Fields, spec: Fields, options: RuntimeOptions): FieldProblem[] {
  const { version, featureGates } = options;
  const hasOpenKubelet = compareKarpenterVersions(version, OPEN_KUBELET_SINCE) >= 0;
  return [
    ...checkAliases(spec.amiSelectorTerms),
    ...checkUserData(spec),
    ...(compareKarpenterVersions(version, TAGS_SINCE) >= 0 ? checkTags(asRecord(spec.tags) ?? {}) : []),
    ...(hasOpenKubelet
      ? checkKubelet(
          ['spec', 'kubelet'],
          spec.kubelet,
          amiFamilyOfClass(spec),
          isGateEnabled(featureGates, 'NodeClassCEL'),
        )
      : []),
    ...(hasOpenKubelet
      ? checkGpuSharing(
          asRecord(asRecord(object.metadata)?.annotations)?.[GPU_SHARING],
          isGateEnabled(featureGates, 'DRANVIDIAGPU'),
        )
      : []),
  ];
}

/** The API server accepts an alias with several "@", but Karpenter's process crashes when it parses such an alias. */
function checkAliases(terms: unknown): FieldProblem[] {
  return (Array.isArray(terms) ? terms : []).flatMap((term, i) => {
    const alias = asRecord(term)?.alias;
    return typeof alias === 'string' && alias.split('@').length > 2
      ? [
          notReady(
            ['spec', 'amiSelectorTerms', i, 'alias'],
            'must have exactly one "@", because Karpenter crashes otherwise',
            alias,
            'write <family>@<version>',
          ),
        ]
      : [];
  });
}

/** A placeholder counts as no byte, because its value may be empty. */
function checkUserData(spec: Fields): FieldProblem[] {
  const { userData } = spec;
  if (typeof userData !== 'string' || !VERBATIM_USER_DATA.test(amiFamilyOfClass(spec) ?? '')) return [];
  const bytes = new TextEncoder().encode(userData.replaceAll(PLACEHOLDER, '')).length;
  return bytes <= MAX_USER_DATA_BYTES
    ? []
    : [
        launchFails(
          ['spec', 'userData'],
          `has ${bytes} bytes, and EC2 accepts at most ${MAX_USER_DATA_BYTES} with what Karpenter adds`,
          `${userData.slice(0, 40)}…`,
          'load long scripts from S3 at boot, or put them into the AMI',
        ),
      ];
}

function checkTags(tags: Readonly<Record<string, unknown>>): FieldProblem[] {
  return Object.keys(tags)
    .filter((key) => RESTRICTED_TAGS.some((pattern) => pattern.test(key)))
    .map((key) => notReady(['spec', 'tags', key], 'must not be a tag that Karpenter sets itself', key, 'remove it'));
}

function checkGpuSharing(mode: unknown, isGateEnabledForGpus: boolean): FieldProblem[] {
  if (typeof mode !== 'string' || mode === '' || mode === 'disabled') return [];
  const path = ['metadata', 'annotations', GPU_SHARING];
  const shares = parseIntegerLikeGo(mode);
  if (!GPU_SHARING_MODES.includes(mode) && (shares === undefined || shares < 1n)) {
    return [
      notReady(
        path,
        `must be disabled, ${GPU_SHARING_MODES.join(', ')} or a number of shares`,
        mode,
        'write for example "4"',
      ),
    ];
  }
  return isGateEnabledForGpus
    ? []
    : [
        notReady(
          path,
          'enables GPU sharing, which needs the feature gate DRANVIDIAGPU',
          mode,
          'remove it, or enable the feature gate',
        ),
      ];
}

export interface RuntimeOptions {
  /** The version of Karpenter for AWS. */
  readonly version: string;
  readonly featureGates: FeatureGates | undefined;
}

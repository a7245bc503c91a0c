import { check } from '../../../src/validation/check/check';
import { CheckOptions } from '../../../src/validation/check-options';
import { readSession } from '../../../src/validation/context/check-session';
import { spotWithoutInterruptionQueue } from '../../../src/validation/rules/interruption/queue/spot-without-interruption-queue';
import { judge, nodeClass, nodePool, oneOf } from '../rules/judge';

const OVERLAY = JSON.stringify({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name: 'cheap' },
  spec: { priceAdjustment: '-10%' },
});
const SPOT = [nodeClass(), nodePool('spot', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] })];

/** A Deployment as `helm template` renders it, with these environment variables and fields of the container. */
function deployment(
  variables: Readonly<Record<string, string | object>>,
  container: object = {},
  name = 'karpenter',
): string {
  const env = Object.entries({ KARPENTER_SERVICE: 'karpenter', ...variables }).map(([key, value]) =>
    typeof value === 'string' ? { name: key, value } : { name: key, valueFrom: value },
  );
  const containers = [
    { name: 'controller', image: 'public.ecr.aws/karpenter/controller:1.15.1@sha256:1e9d', env, ...container },
  ];
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'kube-system' },
    spec: { replicas: 2, template: { spec: { containers } } },
  });
}

const optionsWith = (documents: readonly string[], given: CheckOptions = {}) =>
  readSession([{ path: 'test.yaml', text: documents.join('\n---\n') }], given).options;

/** The findings of KARP-111. */
function closedGates(documents: readonly string[]): string[] {
  const { findings } = check([{ path: 'test.yaml', text: documents.join('\n---\n') }]);
  return findings
    .filter(({ rule }) => rule === 'KARP-111')
    .map(({ severity, subject }) => `${severity} ${subject.name}`);
}

describe('Karpenter as a Deployment', () => {
  test('sets the options of the check by its environment variables', () => {
    const variables = {
      FEATURE_GATES: 'ReservedCapacity=true,NodeOverlay=true, StaticCapacity = T,CapacityBuffer=false',
      AWS_FEATURE_GATES: 'NodeClassCEL=true',
      VM_MEMORY_OVERHEAD_PERCENT: '0.1',
      RESERVED_ENIS: '1',
      PREFERENCE_POLICY: 'Ignore',
      MIN_VALUES_POLICY: 'BestEffort',
      IGNORE_DRA_REQUESTS: 'false',
      SCHEDULER_CONFIG: 'podTopologySpread: { defaultConstraints: [] }',
    };
    expect(optionsWith([deployment(variables)])).toMatchObject({
      karpenterVersion: '1.15.1',
      vmMemoryOverheadPercent: 0.1,
      reservedENIs: 1,
      preferencePolicy: 'Ignore',
      minValuesPolicy: 'BestEffort',
      ignoreDraRequests: false,
      schedulerConfig: { defaultConstraints: [] },
      featureGates: {
        ReservedCapacity: true,
        NodeOverlay: true,
        StaticCapacity: true,
        CapacityBuffer: false,
        NodeRepair: false,
        NodeClassCEL: true,
      },
    });
  });

  test.each<[string, object]>([
    ['with = in one word', { args: ['--reserved-enis=2', '--feature-gates=NodeOverlay=true'] }],
    [
      'with one dash, and the value in the next word',
      { args: ['-reserved-enis', '2', '-feature-gates', 'NodeOverlay=true'] },
    ],
    [
      'after a boolean flag',
      { args: ['--isolated-vpc', '--reserved-enis', '2', '--feature-gates', 'NodeOverlay=true'] },
    ],
    ['in the command', { command: ['/ko-app/controller', '--reserved-enis=2', '--feature-gates=NodeOverlay=true'] }],
  ])('uses flags before variables, %s', (_, container) => {
    const { reservedENIs, featureGates } = optionsWith([
      deployment({ RESERVED_ENIS: '1', FEATURE_GATES: 'StaticCapacity=true' }, container),
    ]);
    expect(reservedENIs).toBe(2);
    expect(featureGates).toMatchObject({ NodeOverlay: true, StaticCapacity: false });
  });

  test('ignores flags after a word that is not a flag', () => {
    expect(optionsWith([deployment({}, { args: ['controller', '--reserved-enis=2'] })]).reservedENIs).toBeUndefined();
  });

  test.each<[string, string]>([
    [
      'a value from a ConfigMap',
      deployment({ FEATURE_GATES: { configMapKeyRef: { name: 'karpenter', key: 'gates' } } }),
    ],
    ['variables from a ConfigMap', deployment({}, { envFrom: [{ configMapRef: { name: 'karpenter' } }] })],
    ['a flag with a variable reference', deployment({}, { args: ['--feature-gates=$(GATES)'] })],
  ])('leaves feature gates unknown with %s', (_, document) => {
    expect(optionsWith([document]).featureGates).not.toHaveProperty('NodeOverlay');
    expect(closedGates([OVERLAY, document])).toEqual(['warning cheap']);
  });

  test('has lower precedence than explicit options', () => {
    const document = deployment({ FEATURE_GATES: 'NodeOverlay=true,StaticCapacity=true', RESERVED_ENIS: '1' });
    const { reservedENIs, featureGates } = optionsWith([document], {
      reservedENIs: 3,
      featureGates: { NodeOverlay: false },
    });
    expect(reservedENIs).toBe(3);
    expect(featureGates).toMatchObject({ NodeOverlay: false, StaticCapacity: true });
  });

  test('is ignored if there are two Deployments, but not if one is written twice', () => {
    const document = (variables: Readonly<Record<string, string>>, name?: string) => deployment(variables, {}, name);
    expect(
      optionsWith([document({ RESERVED_ENIS: '1' }), document({ RESERVED_ENIS: '1' }, 'karpenter-blue')]).reservedENIs,
    ).toBeUndefined();
    expect(optionsWith([document({ RESERVED_ENIS: '1' }), document({ RESERVED_ENIS: '2' })]).reservedENIs).toBe(2);
  });

  test('reads the interruption queue from a flag', () => {
    const rule = spotWithoutInterruptionQueue;
    expect(judge(rule, [...SPOT, deployment({ CLUSTER_NAME: 'prod' })]).states).toEqual(['fail Deployment/karpenter']);
    expect(
      judge(rule, [...SPOT, deployment({ CLUSTER_NAME: 'prod' }, { args: ['--interruption-queue=prod'] })]).states,
    ).toEqual(['pass Deployment/karpenter']);
  });
});

test('accepts a NodeOverlay only if the Deployment turns its feature gate on', () => {
  expect(closedGates([OVERLAY, deployment({ FEATURE_GATES: 'NodeOverlay=true' })])).toEqual([]);
  expect(closedGates([OVERLAY, deployment({})])).toEqual(['error cheap']);
});

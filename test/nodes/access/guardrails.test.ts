import { Testing } from 'cdk8s';
import fc from 'fast-check';
import {
  AmiSelectorTerm,
  CapacityType,
  EC2NodeClass,
  GuardrailAction,
  NodeIdentity,
  NodePool,
  NodePoolGuardrails,
  NodePoolGuardrailsProps,
  Requirement,
  SecurityGroupSelectorTerm,
  SubnetSelectorTerm,
} from '../../../src/nodes';
import { amiLatestInProd } from '../../../src/validation/rules/controller/ami-latest-in-prod';
import { noLimits } from '../../../src/validation/rules/cost/no-limits';
import { rejections } from '../../support/guardrails';
import { judge } from '../../validation/rules/judge';

function manifests(props: NodePoolGuardrailsProps): any[] {
  const chart = Testing.chart();
  new NodePoolGuardrails(chart, 'Guardrails', props);
  return Testing.synth(chart);
}

/** Whether the API server accepts the object. */
function accepts(props: NodePoolGuardrailsProps, object: object): boolean {
  return manifests(props)
    .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
    .every((policy) => rejections(policy, object).length === 0);
}

interface Term {
  readonly key: string;
  readonly operator: string;
  readonly values?: string[];
}

const pool = (requirements: Term[], spec: object = {}) => ({ spec: { template: { spec: { requirements } }, ...spec } });

/** What Karpenter allows for one label: every requirement on it holds. */
function allows(requirements: readonly Term[], key: string, value: string): boolean {
  return requirements
    .filter((term) => term.key === key)
    .every(({ operator, values = [] }) => {
      if (operator === 'In') return values.includes(value);
      if (operator === 'NotIn') return !values.includes(value);
      if (operator === 'Gt') return Number(value) > Number(values[0]);
      if (operator === 'Gte') return Number(value) >= Number(values[0]);
      if (operator === 'Lt') return Number(value) < Number(values[0]);
      if (operator === 'Lte') return Number(value) <= Number(values[0]);
      return operator === 'Exists';
    });
}

const CPU = 'karpenter.k8s.aws/instance-cpu';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const cpus = fc.integer({ min: 1, max: 200 }).map(String);
const cpuTerm = fc.oneof(
  fc.record({
    key: fc.constant(CPU),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.array(cpus, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    key: fc.constant(CPU),
    operator: fc.constantFrom('Gt', 'Gte', 'Lt', 'Lte'),
    values: cpus.map((value) => [value]),
  }),
  fc.constant({ key: CPU, operator: 'Exists' }),
);
const types = ['on-demand', 'reserved', 'spot'];
const capacityTerm = fc.record({
  key: fc.constant(CAPACITY_TYPE),
  operator: fc.constantFrom('In', 'NotIn'),
  values: fc.subarray(types, { minLength: 1 }),
});

describe('maxInstanceCpu', () => {
  test('accepts no NodePool that allows a larger instance', () =>
    fc.assert(
      fc.property(
        fc.array(cpuTerm, { maxLength: 3 }),
        fc.integer({ min: 1, max: 64 }),
        (requirements, maxInstanceCpu) => {
          fc.pre(accepts({ maxInstanceCpu }, pool(requirements)));
          const larger = Array.from({ length: 300 - maxInstanceCpu }, (_, index) => String(maxInstanceCpu + 1 + index));
          expect(larger.filter((cpu) => allows(requirements, CPU, cpu))).toEqual([]);
        },
      ),
      { seed: 49, numRuns: 200 },
    ));

  test.each<[boolean, Term[]]>([
    [true, [{ key: CPU, operator: 'Lt', values: ['33'] }]],
    [false, [{ key: CPU, operator: 'Lt', values: ['34'] }]],
    [true, [{ key: CPU, operator: 'Lte', values: ['32'] }]],
    [true, [{ key: CPU, operator: 'In', values: ['8', '32'] }]],
    [false, [{ key: CPU, operator: 'In', values: ['8', '48'] }]],
    [false, [{ key: CPU, operator: 'In', values: ['many'] }]],
    [false, []],
  ])('is %s for %j with 32', (expected, requirements) =>
    expect(accepts({ maxInstanceCpu: 32 }, pool(requirements))).toBe(expected),
  );
});

describe('capacityTypes', () => {
  test('accepts no NodePool that allows another capacity type, and each with one sufficient requirement', () =>
    fc.assert(
      fc.property(
        fc.array(capacityTerm, { maxLength: 3 }),
        fc.subarray(types, { minLength: 1 }),
        (requirements, allowed) => {
          const capacityTypes = allowed.map((type) => CapacityType.of(type));
          const others = types.filter((type) => !allowed.includes(type));
          const excluded = (terms: Term[]) => others.every((type) => !allows(terms, CAPACITY_TYPE, type));
          const accepted = accepts({ capacityTypes }, pool(requirements));
          if (accepted) expect(excluded(requirements)).toBe(true);
          if (others.length > 0 && requirements.some((term) => excluded([term]))) expect(accepted).toBe(true);
        },
      ),
      { seed: 49, numRuns: 300 },
    ));
});

describe('limits', () => {
  test.each<[boolean, NodePoolGuardrailsProps, object]>([
    [true, { requiredLimits: ['cpu'] }, { limits: { cpu: 100 } }],
    [false, { requiredLimits: ['cpu'] }, {}],
    [false, { requiredLimits: ['cpu', 'memory'] }, { limits: { cpu: 100 } }],
    [true, { requiredLimits: ['cpu'] }, { replicas: 3 }],
    [true, { requiredLimits: ['nvidia.com/gpu'] }, { limits: { 'nvidia.com/gpu': '8' } }],
    [true, { maxCpu: 100 }, { limits: { cpu: '100' } }],
    [true, { maxCpu: 100 }, { limits: { cpu: '99500m' } }],
    [false, { maxCpu: 100 }, { limits: { cpu: '100500m' } }],
    [false, { maxCpu: 100 }, { limits: { cpu: '1k' } }],
    [false, { maxCpu: 100 }, { limits: { memory: '100Gi' } }],
    [true, { maxNodes: 10 }, { limits: { nodes: 10 } }],
    [false, { maxNodes: 10 }, { limits: { nodes: '11' } }],
    [true, { maxNodes: 10 }, { replicas: 10 }],
    [false, { maxNodes: 10 }, { replicas: 11, limits: { nodes: 5 } }],
    [false, { maxNodes: 10 }, {}],
  ])('the answer is %s with %j for %j', (expected, props, spec) =>
    expect(accepts(props, pool([], spec))).toBe(expected),
  );

  test('requiredLimits accepts no NodePool that KARP-1001 reports', () => {
    for (const limits of [undefined, {}, { cpu: 100 }, { cpu: '100' }]) {
      const object = {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodePool',
        metadata: { name: 'general' },
        ...pool([], limits && { limits }),
      };
      const found = judge(noLimits, [JSON.stringify(object)]).findings.length > 0;
      expect(accepts({ requiredLimits: ['cpu'] }, object)).toBe(!found);
    }
  });
});

test('pinnedAmis accepts the EC2NodeClasses for which KARP-905 has no finding', () => {
  const terms = [
    { alias: 'al2023@latest' },
    { alias: 'al2023@v20250915' },
    { alias: 'bottlerocket@latest' },
    { id: 'ami-0123456789abcdef0' },
    { name: 'my-ami-1.2' },
    { name: 'my-ami-*', owner: 'self' },
  ];
  for (const term of terms) {
    const nodeClass = {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'default' },
      spec: { amiSelectorTerms: [term] },
    };
    const nodePool = {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'general' },
      spec: {
        template: {
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
            requirements: [],
          },
        },
      },
    };
    const found =
      judge(
        amiLatestInProd,
        [nodeClass, nodePool].map((object) => JSON.stringify(object)),
      ).findings.length > 0;
    expect([term, accepts({ pinnedAmis: true }, nodeClass)]).toEqual([term, !found]);
  }
});

test('the constructs of this library pass guardrails that they meet', () => {
  const chart = Testing.chart();
  const nodeClass = new EC2NodeClass(chart, 'class', {
    amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')],
    identity: NodeIdentity.role('nodes'),
    subnetSelectorTerms: [SubnetSelectorTerm.byDiscoveryTag('shop')],
    securityGroupSelectorTerms: [SecurityGroupSelectorTerm.byDiscoveryTag('shop')],
  });
  new NodePool(chart, 'pool', {
    nodeClass,
    requirements: [
      Requirement.capacityType().in(CapacityType.ON_DEMAND),
      Requirement.instanceCpu().lessThanOrEqual(32),
    ],
    limits: { cpu: 200 },
  });
  const [nodeClassManifest, nodePoolManifest] = Testing.synth(chart);
  expect(accepts({ pinnedAmis: true }, nodeClassManifest)).toBe(true);
  expect(accepts({ maxInstanceCpu: 32, capacityTypes: [CapacityType.ON_DEMAND], maxCpu: 200 }, nodePoolManifest)).toBe(
    true,
  );
});

describe('the policies', () => {
  test('judge only new objects and changes of spec, and reject unless another action is requested', () => {
    const [policy, binding, classPolicy, classBinding] = manifests({ maxNodes: 10, pinnedAmis: true });
    expect(policy).toMatchObject({
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name: 'karpenter-guardrails' },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [{ apiGroups: ['karpenter.sh'], apiVersions: ['v1'], resources: ['nodepools'] }],
        },
        matchConditions: [{ expression: "request.operation == 'CREATE' || object.?spec != oldObject.?spec" }],
      },
    });
    expect(binding.spec).toEqual({ policyName: 'karpenter-guardrails', validationActions: ['Deny'] });
    expect(classPolicy.spec.matchConstraints.resourceRules[0].resources).toEqual(['ec2nodeclasses']);
    expect(classBinding.spec.policyName).toBe('karpenter-guardrails-ami');
    const [, warning] = manifests({ maxNodes: 10, actions: [GuardrailAction.WARN, GuardrailAction.AUDIT] });
    expect(warning.spec.validationActions).toEqual(['Warn', 'Audit']);
  });

  test.each<[NodePoolGuardrailsProps, string]>([
    [{}, "must have at least one guardrail, got none; write for example requiredLimits: ['cpu']"],
    [{ maxNodes: 0 }, 'NodePoolGuardrails.maxNodes: must be a whole number of at least 1, got 0; write for example 32'],
    [
      { maxCpu: '100' as never },
      'NodePoolGuardrails.maxCpu: must be a whole number of at least 1, got "100" (a string)',
    ],
    [{ capacityTypes: [] }, 'NodePoolGuardrails.capacityTypes: must have at least one capacity type, got none'],
  ])('are refused with %j', (props, message) => expect(() => manifests(props)).toThrow(message));
});

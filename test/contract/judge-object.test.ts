import { capacityBuffer, judged, nodeClaim, nodeClass, nodeOverlay, nodePool, object } from './objects';
import { judgeObject } from '../../src/contract';

const remedies = (raw: unknown, version?: string) => judgeObject(raw, { version })!.map(({ remedy }) => remedy);

describe('an object', () => {
  test.each([['NodePool', nodePool()], ['NodeClaim', nodeClaim()], ['EC2NodeClass', nodeClass()], ['NodeOverlay', nodeOverlay()], ['CapacityBuffer', capacityBuffer()]])(
    'is accepted if it is a %s with the required fields alone', (_, raw) => {
      expect(judgeObject(raw)).toEqual([]);
    });

  test.each([
    ['of another group', object('apps/v1', 'Deployment', {})],
    ['at an API version that was never served', object('karpenter.sh/v2', 'NodePool', {})],
    ['that is a list', []],
    ['that is nothing', undefined],
  ])('%s is not judged', (_, raw) => {
    expect(judgeObject(raw)).toBeUndefined();
  });

  test('has its nulls dropped and its defaults filled in before it is judged', () => {
    expect(judged(nodePool({ weight: null, disruption: { budgets: [{ nodes: null, reasons: null }] } }))).toEqual([]);
  });

  test('may have any status, which is dropped from what is created', () => {
    expect(judged({ ...nodePool(), status: { nodes: 'many' } })).toEqual([]);
  });

  test('may have no field in its status that the API does not have', () => {
    expect(judged({ ...nodePool(), status: { phase: 'Ready' } })).toEqual(['rejected status.phase']);
  });

  test('is refused when its replicas are more than kubectl scale can tell', () => {
    expect(judged(nodePool({ replicas: 2 ** 31 }))).toEqual(['rejected spec.replicas']);
  });

  test('has no integer beyond 64 bits, where an integer or a text may stand', () => {
    expect(judged(nodePool({ limits: { cpu: -(2 ** 63), memory: 2 ** 62 } }))).toEqual(['rejected spec.limits.cpu']);
  });

  test('tells of fields of wrong types and of broken rules elsewhere at once', () => {
    const raw = nodePool({ weight: '10', disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1', schedule: '@daily' }] } });
    expect(judged(raw)).toEqual(['rejected spec.weight', 'rejected spec.disruption.budgets[0].duration']);
  });

  test('is asked no rule over a field of a wrong type', () => {
    expect(judged(nodePool({}, { requirements: [{ key: 'a', operator: 'In', values: 'b' }] }))).toEqual(['rejected spec.template.spec.requirements[0].values']);
  });

  test('carries what the API server prints', () => {
    expect(judgeObject(nodePool({ weight: 101 }))).toMatchObject([{
      rule: 'maximum',
      got: 101,
      remedy: 'write an integer from 1 to 100',
      apiServer: 'spec.weight: Invalid value: 101: spec.weight in body should be less than or equal to 100',
    }]);
  });
});

describe('what to write instead', () => {
  test.each([
    ['a word in another case', nodePool({ disruption: { consolidateAfter: '0s', consolidationPolicy: 'whenempty' } }), 'write WhenEmpty'],
    ['a word of v1beta1', nodePool({ disruption: { consolidateAfter: '0s', consolidationPolicy: 'WhenUnderutilized' } }), 'write WhenEmptyOrUnderutilized'],
    ['a misspelt word', nodePool({}, { taints: [{ key: 'a', effect: 'NoSchedul' }] }), 'write NoSchedule'],
    ['another word altogether', nodePool({}, { taints: [{ key: 'a', effect: 'Never' }] }), 'write NoSchedule, PreferNoSchedule or NoExecute'],
    ['a quantity with a letter for a digit', nodePool({ limits: { cpu: '10O' } }), 'write 100'],
    ['days', nodePool({}, { expireAfter: '30d' }), 'write for example 720h, 1h30m or Never; days have no unit, 30 days are 720h'],
  ])('reports %s', (_, raw, remedy) => {
    expect(remedies(raw)).toEqual([remedy]);
  });
});

describe('a field that the API does not have', () => {
  test.each([
    ['a name in another case', nodePool({ Weight: 1 }), 'write weight'],
    ['a name in snake case', nodePool({ disruption: { consolidateAfter: '0s', consolidation_policy: 'WhenEmpty' } }), 'write consolidationPolicy'],
    ['a name with letters exchanged', nodePool({ wieght: 1 }), 'write weight'],
    ['a name cut short', nodePool({}, { startup: [] }), 'write startupTaints'],
    ['a field of another place', nodePool({ requirements: [] }), 'move it to spec.template.spec.requirements'],
    ['a field of another kind', nodePool({}, { kubelet: { maxPods: 10 } }), 'move it to spec.kubelet of the EC2NodeClass'],
    ['something else', nodeClass({ metadataOptions: { foo: 1 } }), 'remove it; the fields here are httpEndpoint, httpProtocolIPv6, httpPutResponseHopLimit, httpTokens'],
  ])('explains what is probably meant by %s', (_, raw, remedy) => {
    expect(remedies(raw)).toEqual([remedy]);
  });

  test('names the release that has the field', () => {
    expect(remedies(nodePool({ replicas: 1 }), '1.3')).toEqual(['remove it, or use another version of Karpenter: 1.8.6 has it']);
  });

  test('is found in metadata', () => {
    expect(remedies({ ...nodePool(), metadata: { name: 'a', lables: {} } })).toEqual(['write labels']);
  });

  test('is not found where any field may be', () => {
    expect(judged(nodeClass({ tags: { anything: 'goes' } }))).toEqual([]);
  });
});

describe('the metadata of an object', () => {
  test.each([
    ['no name', {}, ['rejected metadata.name']],
    ['a name that is a number', { name: 3 }, ['rejected metadata.name']],
    ['a name in capitals', { name: 'Default' }, ['rejected metadata.name']],
    ['a name of 254 characters', { name: 'a'.repeat(254) }, ['rejected metadata.name']],
    ['a label value with a space', { name: 'a', labels: { team: 'a b' } }, ['rejected metadata.labels.team']],
    ['a label that is a number', { name: 'a', labels: { tier: 1 } }, ['rejected metadata.labels.tier']],
    ['a label key with two slashes', { name: 'a', labels: { 'a/b/c': 'd' } }, ['rejected metadata.labels["a/b/c"]']],
    ['an annotation key with a space', { name: 'a', annotations: { 'a b': 'c' } }, ['rejected metadata.annotations["a b"]']],
    ['annotations of more than 256 KiB', { name: 'a', annotations: { a: 'x'.repeat(262_145) } }, ['rejected metadata.annotations']],
    ['an owner without a uid', { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'b' }] }, ['rejected metadata.ownerReferences[0].uid']],
    ['a finalizer with a space', { name: 'a', finalizers: ['a b'] }, ['rejected metadata.finalizers[0]']],
  ])('is refused with %s', (_, metadata, expected) => {
    expect(judged({ ...nodePool(), metadata })).toEqual(expected);
  });

  test.each([
    ['a name with dots', { name: 'a.b-c.0' }],
    ['a name to be generated', { generateName: 'pool-' }],
    ['annotations in capitals', { name: 'a', annotations: { 'Example.com/Note': 'Any text: at all' } }],
    ['null labels', { name: 'a', labels: null }],
    ['a namespace, although the kind has none', { name: 'a', namespace: 'default' }],
  ])('is accepted with %s', (_, metadata) => {
    expect(judged({ ...nodePool(), metadata })).toEqual([]);
  });

  test('is refused with a namespace that is no DNS label, where the kind has one', () => {
    expect(judged({ ...capacityBuffer(), metadata: { name: 'a', namespace: 'a.b' } })).toEqual(['rejected metadata.namespace']);
  });
});

describe('hostile input', () => {
  const parsed = (text: string) => JSON.parse(text) as unknown;

  test('with __proto__ for a key is an unknown field, and changes nothing', () => {
    const raw = parsed(JSON.stringify(nodePool()).replace('"template"', '"__proto__":{"weight":5},"template"'));
    expect(judged(raw)).toEqual(['rejected spec.__proto__']);
  });

  test('with names that objects have by themselves is an unknown field', () => {
    expect(judged(nodePool({ constructor: 1, toString: 2 }))).toEqual(['rejected spec.constructor', 'rejected spec.toString']);
  });

  test.each([[null], [0], [''], [[]], [[[[]]]], [{}], [true], [1e300], [-0.5], [['a', 1, null]]])('with %j in every field of the spec is judged', (value) => {
    for (const raw of [nodePool, nodeClass, nodeClaim, nodeOverlay, capacityBuffer].map((make) => make())) {
      const spec = Object.fromEntries(Object.keys(raw.spec as object).map((field) => [field, value]));
      expect(judged({ ...raw, spec })).toBeInstanceOf(Array);
      expect(judged({ ...raw, spec: value, metadata: value, status: value })).toBeInstanceOf(Array);
    }
  });

  test('that is larger than a request is refused for its size alone', () => {
    expect(judged(nodeClass({ userData: 'x'.repeat(3 * 1024 * 1024), role: 5 }))).toEqual(['rejected ']);
  });

  test('with very many tags is judged in no time', () => {
    const tags = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key-${i}`, 'x']));
    expect(judged(nodeClass({ tags }))).toEqual([]);
  });

  test('nested very deep is judged', () => {
    let kubelet: unknown = {};
    for (let i = 0; i < 400; i++) kubelet = { a: kubelet };
    expect(judged(nodeClass({ kubelet }))).toEqual(['not-ready spec.kubelet.a']);
  });
});

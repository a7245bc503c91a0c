import { capacityBuffer, problemsOf, nodeClaim, nodeClass, nodeOverlay, nodePool, apiObject } from './objects';
import { validateObject } from '../../src/contract';

const remedies = (raw: unknown, version?: string) => validateObject(raw, { version })!.map(({ remedy }) => remedy);

describe('validateObject', () => {
  test.each([
    ['NodePool', nodePool()],
    ['NodeClaim', nodeClaim()],
    ['EC2NodeClass', nodeClass()],
    ['NodeOverlay', nodeOverlay()],
    ['CapacityBuffer', capacityBuffer()],
  ])('accepts a %s that has only the required fields', (_, raw) => {
    expect(validateObject(raw)).toEqual([]);
  });

  test.each([
    ['an object of another group', apiObject('apps/v1', 'Deployment', {})],
    ['an API version that was never served', apiObject('karpenter.sh/v2', 'NodePool', {})],
    ['a list', []],
    ['undefined', undefined],
  ])('returns undefined for %s', (_, raw) => {
    expect(validateObject(raw)).toBeUndefined();
  });

  test('drops nulls and fills in defaults before validation', () => {
    expect(problemsOf(nodePool({ weight: null, disruption: { budgets: [{ nodes: null, reasons: null }] } }))).toEqual(
      [],
    );
  });

  test('accepts any value of a status field, because the API server drops status on create', () => {
    expect(problemsOf({ ...nodePool(), status: { nodes: 'many' } })).toEqual([]);
  });

  test('rejects an unknown field in status', () => {
    expect(problemsOf({ ...nodePool(), status: { phase: 'Ready' } })).toEqual(['rejected status.phase']);
  });

  test('rejects replicas beyond 32 bits, because of the scale subresource', () => {
    expect(problemsOf(nodePool({ replicas: 2 ** 31 }))).toEqual(['rejected spec.replicas']);
  });

  test('rejects an integer beyond 64 bits in an int-or-string field', () => {
    expect(problemsOf(nodePool({ limits: { cpu: -(2 ** 63), memory: 2 ** 62 } }))).toEqual([
      'rejected spec.limits.cpu',
    ]);
  });

  test('reports type errors and violated CEL rules of other fields together', () => {
    const raw = nodePool({
      weight: '10',
      disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1', schedule: '@daily' }] },
    });
    expect(problemsOf(raw)).toEqual(['rejected spec.weight', 'rejected spec.disruption.budgets[0].duration']);
  });

  test('evaluates no CEL rule on an object with a type error inside', () => {
    expect(problemsOf(nodePool({}, { requirements: [{ key: 'a', operator: 'In', values: 'b' }] }))).toEqual([
      'rejected spec.template.spec.requirements[0].values',
    ]);
  });

  test('returns the message of the API server', () => {
    expect(validateObject(nodePool({ weight: 101 }))).toMatchObject([
      {
        rule: 'maximum',
        got: 101,
        remedy: 'write an integer from 1 to 100',
        apiServer: 'spec.weight: Invalid value: 101: spec.weight in body should be less than or equal to 100',
      },
    ]);
  });
});

describe('remedy', () => {
  test.each([
    [
      'a value in another case',
      nodePool({ disruption: { consolidateAfter: '0s', consolidationPolicy: 'whenempty' } }),
      'write WhenEmpty',
    ],
    [
      'a value of v1beta1',
      nodePool({ disruption: { consolidateAfter: '0s', consolidationPolicy: 'WhenUnderutilized' } }),
      'write WhenEmptyOrUnderutilized',
    ],
    ['a misspelt value', nodePool({}, { taints: [{ key: 'a', effect: 'NoSchedul' }] }), 'write NoSchedule'],
    [
      'an unrelated value',
      nodePool({}, { taints: [{ key: 'a', effect: 'Never' }] }),
      'write NoSchedule, PreferNoSchedule or NoExecute',
    ],
    [
      'a budget of expiry',
      nodePool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', reasons: ['Expired'] }] } }),
      'remove this budget, or write Underutilized, Empty or Drifted: no budget delays expiry, which obeys only expireAfter',
    ],
    ['a number in quotes', nodePool({ weight: '10' }), 'write 10 without quotes'],
    ['a number in quotes that is too large', nodePool({ weight: '150' }), 'write an integer from 1 to 100'],
    ['a quantity with a letter for a digit', nodePool({ limits: { cpu: '10O' } }), 'write 100'],
    ['days', nodePool({}, { expireAfter: '30d' }), 'write 720h'],
    ['a duration without a unit', nodePool({}, { expireAfter: '300' }), 'write 300s or 300m'],
    ['a number for a duration', nodePool({}, { terminationGracePeriod: 300 }), 'write 300s or 300m'],
    ['a unit in words', nodePool({}, { terminationGracePeriod: '5 min' }), 'write 5m'],
    ['a part of an hour', nodePool({}, { expireAfter: '1.5h' }), 'write 1h30m'],
    ['no time at all', nodePool({}, { terminationGracePeriod: '0' }), 'write 0s'],
    [
      'another text',
      nodePool({}, { terminationGracePeriod: 'long' }),
      'write for example 48h or 30m; leave it out for no limit',
    ],
  ])('suggests a value for %s', (_, raw, remedy) => {
    expect(remedies(raw)).toEqual([remedy]);
  });
});

describe('unknown field', () => {
  const inTemplate = (fields: object, spec: object = {}) => {
    const pool = nodePool();
    const { template } = pool.spec as { template: object };
    const object = { ...pool, spec: { ...spec, template: { ...template, ...fields } } };
    return validateObject(object)!.find(({ apiServer }) => apiServer?.startsWith('unknown field'))?.fix;
  };

  test('is moved out if it is indented too far', () => {
    expect(inTemplate({ limits: { cpu: 8 } })).toEqual({
      safe: true,
      edits: [
        { operation: 'set', path: ['spec', 'limits'], value: { cpu: 8 }, isFirst: true },
        { operation: 'remove', path: ['spec', 'template', 'limits'] },
      ],
    });
  });

  test('has no fix if its place is taken, or the value is not valid there', () => {
    expect(inTemplate({ limits: { cpu: 8 } }, { limits: { cpu: 4 } })).toBeUndefined();
    expect(inTemplate({ disruption: { consolidationPolicy: 'Sometimes', consolidateAfter: '0s' } })).toBeUndefined();
  });

  test.each([
    ['a name in another case', nodePool({ Weight: 1 }), 'write weight'],
    [
      'a name in snake case',
      nodePool({ disruption: { consolidateAfter: '0s', consolidation_policy: 'WhenEmpty' } }),
      'write consolidationPolicy',
    ],
    ['a name with letters exchanged', nodePool({ wieght: 1 }), 'write weight'],
    ['a name cut short', nodePool({}, { startup: [] }), 'write startupTaints'],
    ['a field of another object', nodePool({ requirements: [] }), 'move it to spec.template.spec.requirements'],
    [
      'a field of the items of another list',
      nodePool({}, { taints: [{ key: 'team', operator: 'Exists', effect: 'NoSchedule' }] }),
      'remove it; the fields here are effect, key, timeAdded, value',
    ],
    [
      'a field of another kind',
      nodePool({}, { kubelet: { maxPods: 10 } }),
      'move it to spec.kubelet of the EC2NodeClass',
    ],
    [
      'an unrelated name',
      nodeClass({ metadataOptions: { foo: 1 } }),
      'remove it; the fields here are httpEndpoint, httpProtocolIPv6, httpPutResponseHopLimit, httpTokens',
    ],
  ])('suggests what is meant by %s', (_, raw, remedy) => {
    expect(remedies(raw)).toEqual([remedy]);
  });

  test('names a release that has the field', () => {
    expect(remedies(nodePool({ replicas: 1 }), '1.3')).toEqual([
      'remove it, or use another version of Karpenter: 1.8.6 has it',
    ]);
  });

  test('is reported in metadata', () => {
    expect(remedies({ ...nodePool(), metadata: { name: 'a', lables: {} } })).toEqual(['write labels']);
  });

  test('is accepted in a map with free keys', () => {
    expect(problemsOf(nodeClass({ tags: { anything: 'goes' } }))).toEqual([]);
  });
});

describe('metadata', () => {
  test.each([
    ['no name', {}, ['rejected metadata.name']],
    ['a name that is a number', { name: 3 }, ['rejected metadata.name']],
    ['a name in capitals', { name: 'Default' }, ['rejected metadata.name']],
    ['a name of 254 characters', { name: 'a'.repeat(254) }, ['rejected metadata.name']],
    ['a label value with a space', { name: 'a', labels: { team: 'a b' } }, ['rejected metadata.labels.team']],
    ['a label that is a number', { name: 'a', labels: { tier: 1 } }, ['rejected metadata.labels.tier']],
    ['a label key with two slashes', { name: 'a', labels: { 'a/b/c': 'd' } }, ['rejected metadata.labels["a/b/c"]']],
    [
      'an annotation key with a space',
      { name: 'a', annotations: { 'a b': 'c' } },
      ['rejected metadata.annotations["a b"]'],
    ],
    [
      'annotations of more than 256 KiB',
      { name: 'a', annotations: { a: 'x'.repeat(262_145) } },
      ['rejected metadata.annotations'],
    ],
    [
      'an owner without a uid',
      { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'b' }] },
      ['rejected metadata.ownerReferences[0].uid'],
    ],
    ['a finalizer with a space', { name: 'a', finalizers: ['a b'] }, ['rejected metadata.finalizers[0]']],
  ])('is rejected with %s', (_, metadata, expected) => {
    expect(problemsOf({ ...nodePool(), metadata })).toEqual(expected);
  });

  test.each([
    ['a name with dots', { name: 'a.b-c.0' }],
    ['a name to be generated', { generateName: 'pool-' }],
    ['annotations in capitals', { name: 'a', annotations: { 'Example.com/Note': 'Any text: at all' } }],
    ['null labels', { name: 'a', labels: null }],
    ['a namespace, although the kind has none', { name: 'a', namespace: 'default' }],
  ])('is accepted with %s', (_, metadata) => {
    expect(problemsOf({ ...nodePool(), metadata })).toEqual([]);
  });

  test('of a namespaced kind is rejected if the namespace is not a DNS label', () => {
    expect(problemsOf({ ...capacityBuffer(), metadata: { name: 'a', namespace: 'a.b' } })).toEqual([
      'rejected metadata.namespace',
    ]);
  });
});

describe('hostile input', () => {
  const parsed = (text: string) => JSON.parse(text) as unknown;

  test('reports a key __proto__ as an unknown field', () => {
    const raw = parsed(JSON.stringify(nodePool()).replace('"template"', '"__proto__":{"weight":5},"template"'));
    expect(problemsOf(raw)).toEqual(['rejected spec.__proto__']);
  });

  test('reports names of inherited properties as unknown fields', () => {
    expect(problemsOf(nodePool({ constructor: 1, toString: 2 }))).toEqual([
      'rejected spec.constructor',
      'rejected spec.toString',
    ]);
  });

  test.each([[null], [0], [''], [[]], [[[[]]]], [{}], [true], [1e300], [-0.5], [['a', 1, null]]])(
    'validates a spec with %j in every field',
    (value) => {
      for (const raw of [nodePool, nodeClass, nodeClaim, nodeOverlay, capacityBuffer].map((make) => make())) {
        const spec = Object.fromEntries(Object.keys(raw.spec as object).map((field) => [field, value]));
        expect(problemsOf({ ...raw, spec })).toBeInstanceOf(Array);
        expect(problemsOf({ ...raw, spec: value, metadata: value, status: value })).toBeInstanceOf(Array);
      }
    },
  );

  test('reports only the size of an object that is too large for a request', () => {
    expect(problemsOf(nodeClass({ userData: 'x'.repeat(3 * 1024 * 1024), role: 5 }))).toEqual(['rejected ']);
  });

  test('accepts 50,000 tags without a timeout', () => {
    const tags = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key-${i}`, 'x']));
    expect(problemsOf(nodeClass({ tags }))).toEqual([]);
  });

  test('validates deeply nested objects', () => {
    let kubelet: unknown = {};
    for (let i = 0; i < 400; i++) kubelet = { a: kubelet };
    expect(problemsOf(nodeClass({ kubelet }))).toEqual(['not-ready spec.kubelet.a']);
  });
});

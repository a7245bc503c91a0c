import { betaNodeClass, betaNodePool, convert, join, refusals } from '../setup';

const template = (fields = '') => `template:\n  spec:\n    nodeClassRef: { name: default }\n    requirements: []\n${fields.split('\n').map((line) => `    ${line}\n`).join('')}`;

function pool(spec: string) {
  const { objects, notes, text } = convert(join(betaNodeClass(), betaNodePool(spec)));
  expect(refusals(text)).toEqual([]);
  return { nodeClass: objects[0].spec, spec: objects[1].spec, notes, text };
}

describe('a NodePool of v1beta1', () => {
  test.each(['{ name: default }', '{ apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: default }'])('with the reference %s has group, kind and name', (ref) => {
    const { spec } = pool(template().replace('{ name: default }', ref));
    expect(spec.template.spec.nodeClassRef).toEqual({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' });
  });

  test.each<[string, object]>([
    ['consolidationPolicy: WhenUnderutilized', { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' }],
    ['consolidationPolicy: WhenEmpty\n  consolidateAfter: 30s', { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' }],
    ['budgets: [{ nodes: "1" }]', { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s', budgets: [{ nodes: '1' }] }],
  ])('with the disruption %s', (disruption, expected) => {
    expect(pool(`${template()}disruption:\n  ${disruption}`).spec.disruption).toEqual(expected);
  });

  test('expires by its template', () => {
    const { spec } = pool(`${template()}disruption: { expireAfter: 48h }`);
    expect(spec.template.spec.expireAfter).toBe('48h');
    expect(spec.disruption).toBeUndefined();
  });

  test('gives its kubelet settings to the class', () => {
    const { nodeClass, spec } = pool(template('kubelet: { maxPods: 20 }'));
    expect(nodeClass.kubelet).toEqual({ maxPods: 20 });
    expect(spec.template.spec.kubelet).toBeUndefined();
  });

  test('gives no setting to the class that its AMI family never handed on, and keeps it as a comment', () => {
    const { objects, text, notes } = convert(join(betaNodeClass('amiFamily: Bottlerocket'), betaNodePool(template('kubelet: { podsPerCore: 2, clusterDNS: [10.0.0.10, 10.0.0.11] }'))));
    expect(refusals(text)).toEqual([]);
    expect(objects[0].spec.kubelet).toEqual({ clusterDNS: ['10.0.0.10'] });
    expect(text).toMatch(/# podsPerCore: 2/);
    expect(notes).toContainEqual(expect.stringMatching(/^kept: kubelet: podsPerCore/));
  });

  test('without a reference gets one that a person has to complete', () => {
    const { spec, notes } = pool('template: { spec: { requirements: [] } }\n');
    expect(spec.template.spec.nodeClassRef).toEqual({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' });
    expect(notes).toContainEqual(expect.stringMatching(/^todo: the NodePool names no class/));
  });

  test('keeps fields of v1 that it has too early, and says that they count now', () => {
    const { spec, notes } = pool(`${template('expireAfter: 24h')}replicas: 2\n`);
    expect(spec).toMatchObject({ replicas: 2, template: { spec: { expireAfter: '24h' } } });
    expect(notes.filter((note) => /^todo: .* is a field of v1/.test(note))).toHaveLength(2);
  });

  test('keeps labels, limits and weight', () => {
    const { spec } = pool(`${template()}limits: { cpu: 10 }\nweight: 5`.replace('template:\n', 'template:\n  metadata: { labels: { team: web } }\n'));
    expect(spec).toMatchObject({ limits: { cpu: 10 }, weight: 5, template: { metadata: { labels: { team: 'web' } } } });
  });
});

describe('pools that share a class', () => {
  const sharing = (...kubelets: readonly string[]) => convert(join(
    betaNodeClass(), ...kubelets.map((kubelet, i) => betaNodePool(template(kubelet), `pool-${i}`)))).objects;
  const kubeletOf = (objects: any[], i: number) => {
    const { name } = objects.find(({ metadata }) => metadata.name === `pool-${i}`).spec.template.spec.nodeClassRef;
    return objects.find(({ kind, metadata }) => kind === 'EC2NodeClass' && metadata.name === name).spec.kubelet;
  };

  test('and want the same go on sharing it', () => {
    const objects = sharing('kubelet: { maxPods: 20, podsPerCore: 2 }', 'kubelet: { podsPerCore: 2, maxPods: 20 }');
    expect(objects.filter(({ kind }) => kind === 'EC2NodeClass')).toHaveLength(1);
    expect(kubeletOf(objects, 1)).toEqual({ maxPods: 20, podsPerCore: 2 });
  });

  test('and differ get a class each', () => {
    const objects = sharing('', 'kubelet: { maxPods: 20 }', 'kubelet: { maxPods: 30 }');
    expect([0, 1, 2].map((i) => kubeletOf(objects, i))).toEqual([undefined, { maxPods: 20 }, { maxPods: 30 }]);
    expect(objects.filter(({ kind }) => kind === 'EC2NodeClass').map(({ metadata }) => metadata.name)).toEqual(['default', 'default-pool-1', 'default-pool-2']);
  });

  test('with a class that is v1 already get its settings there', () => {
    const nodeClass = 'apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: { name: default }\nspec: { role: nodes }\n';
    const { objects } = convert(join(nodeClass, betaNodePool(template('kubelet: { maxPods: 20 }'))));
    expect(objects[0].spec).toEqual({ role: 'nodes', kubelet: { maxPods: 20 } });
  });

  test('with a class that is elsewhere keep the settings as a comment, and a note says so', () => {
    const { objects, text, notes } = convert(betaNodePool(template('kubelet: { maxPods: 20 }')));
    expect(objects[0].spec.template.spec.kubelet).toBeUndefined();
    expect(text).toMatch(/# +maxPods: 20/);
    expect(notes).toContainEqual('todo: EC2NodeClass default is not among the files, and the kubelet settings belong to it now');
  });
});

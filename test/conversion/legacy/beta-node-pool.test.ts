import { betaNodeClass, betaNodePool, convert, join, refusals } from '../setup';

const template = (fields = '') =>
  `template:\n  spec:\n    nodeClassRef: { name: default }\n    requirements: []\n${fields
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')}`;

function pool(spec: string) {
  const { objects, notes, text } = convert(join(betaNodeClass(), betaNodePool(spec)));
  expect(refusals(text)).toEqual([]);
  return { nodeClass: objects[0].spec, spec: objects[1].spec, notes, text };
}

describe('converting a NodePool of v1beta1', () => {
  test.each(['{ name: default }', '{ apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: default }'])(
    'writes group, kind and name for the reference %s',
    (ref) => {
      const { spec } = pool(template().replace('{ name: default }', ref));
      expect(spec.template.spec.nodeClassRef).toEqual({
        group: 'karpenter.k8s.aws',
        kind: 'EC2NodeClass',
        name: 'default',
      });
    },
  );

  test.each<[string, object]>([
    [
      'consolidationPolicy: WhenUnderutilized',
      { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    ],
    [
      'consolidationPolicy: WhenEmpty\n  consolidateAfter: 30s',
      { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
    ],
    [
      'budgets: [{ nodes: "1" }]',
      { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s', budgets: [{ nodes: '1' }] },
    ],
  ])('converts the disruption %s', (disruption, expected) => {
    expect(pool(`${template()}disruption:\n  ${disruption}`).spec.disruption).toEqual(expected);
  });

  test('moves expireAfter to the template', () => {
    const { spec } = pool(`${template()}disruption: { expireAfter: 48h }`);
    expect(spec.template.spec.expireAfter).toBe('48h');
    expect(spec.disruption).toBeUndefined();
  });

  test('moves kubelet settings to the EC2NodeClass', () => {
    const { nodeClass, spec } = pool(template('kubelet: { maxPods: 20 }'));
    expect(nodeClass.kubelet).toEqual({ maxPods: 20 });
    expect(spec.template.spec.kubelet).toBeUndefined();
  });

  test('keeps kubelet settings that the AMI family ignores as comments', () => {
    const { objects, text, notes } = convert(
      join(
        betaNodeClass('amiFamily: Bottlerocket'),
        betaNodePool(template('kubelet: { podsPerCore: 2, clusterDNS: [10.0.0.10, 10.0.0.11] }')),
      ),
    );
    expect(refusals(text)).toEqual([]);
    expect(objects[0].spec.kubelet).toEqual({ clusterDNS: ['10.0.0.10'] });
    expect(text).toMatch(/# podsPerCore: 2/);
    expect(notes).toContainEqual(expect.stringMatching(/^kept: kubelet: podsPerCore/));
  });

  test('writes a placeholder and a todo note without a nodeClassRef', () => {
    const { spec, notes } = pool('template: { spec: { requirements: [] } }\n');
    expect(spec.template.spec.nodeClassRef).toEqual({
      group: 'karpenter.k8s.aws',
      kind: 'EC2NodeClass',
      name: 'default',
    });
    expect(notes).toContainEqual(expect.stringMatching(/^todo: the NodePool names no node class/));
  });

  test('keeps v1 fields and notes that they take effect now', () => {
    const { spec, notes } = pool(`${template('expireAfter: 24h')}replicas: 2\n`);
    expect(spec).toMatchObject({ replicas: 2, template: { spec: { expireAfter: '24h' } } });
    expect(notes.filter((note) => /^todo: .* is a field of v1/.test(note))).toHaveLength(2);
  });

  test('keeps labels, limits and weight', () => {
    const { spec } = pool(
      `${template()}limits: { cpu: 10 }\nweight: 5`.replace(
        'template:\n',
        'template:\n  metadata: { labels: { team: web } }\n',
      ),
    );
    expect(spec).toMatchObject({ limits: { cpu: 10 }, weight: 5, template: { metadata: { labels: { team: 'web' } } } });
  });
});

describe('converting NodePools that share an EC2NodeClass', () => {
  const sharing = (...kubelets: readonly string[]) =>
    convert(join(betaNodeClass(), ...kubelets.map((kubelet, i) => betaNodePool(template(kubelet), `pool-${i}`))))
      .objects;
  const kubeletOf = (objects: any[], i: number) => {
    const { name } = objects.find(({ metadata }) => metadata.name === `pool-${i}`).spec.template.spec.nodeClassRef;
    return objects.find(({ kind, metadata }) => kind === 'EC2NodeClass' && metadata.name === name).spec.kubelet;
  };

  test('keeps one class for equal kubelet settings', () => {
    const objects = sharing('kubelet: { maxPods: 20, podsPerCore: 2 }', 'kubelet: { podsPerCore: 2, maxPods: 20 }');
    expect(objects.filter(({ kind }) => kind === 'EC2NodeClass')).toHaveLength(1);
    expect(kubeletOf(objects, 1)).toEqual({ maxPods: 20, podsPerCore: 2 });
  });

  test('copies the class for different kubelet settings', () => {
    const objects = sharing('', 'kubelet: { maxPods: 20 }', 'kubelet: { maxPods: 30 }');
    expect([0, 1, 2].map((i) => kubeletOf(objects, i))).toEqual([undefined, { maxPods: 20 }, { maxPods: 30 }]);
    expect(objects.filter(({ kind }) => kind === 'EC2NodeClass').map(({ metadata }) => metadata.name)).toEqual([
      'default',
      'default-pool-1',
      'default-pool-2',
    ]);
  });

  test('moves kubelet settings to a class that is v1 already', () => {
    const nodeClass =
      'apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: { name: default }\nspec: { role: nodes }\n';
    const { objects } = convert(join(nodeClass, betaNodePool(template('kubelet: { maxPods: 20 }'))));
    expect(objects[0].spec).toEqual({ role: 'nodes', kubelet: { maxPods: 20 } });
  });

  test('keeps kubelet settings as comments, with a note, if the class is not in the input', () => {
    const { objects, text, notes } = convert(betaNodePool(template('kubelet: { maxPods: 20 }')));
    expect(objects[0].spec.template.spec.kubelet).toBeUndefined();
    expect(text).toMatch(/# +maxPods: 20/);
    expect(notes).toContainEqual(
      'todo: kubelet settings belong to the EC2NodeClass in v1, and EC2NodeClass default is not in the input',
    );
  });
});

import { convert, join, nodeTemplate, provisioner, refusals } from '../setup';

const REF = 'providerRef: { name: default }\n';

/** Converts a Provisioner with this spec, and its AWSNodeTemplate. */
function pool(spec: string) {
  const { objects, notes, text } = convert(join(nodeTemplate(), provisioner(spec)));
  expect(refusals(text)).toEqual([]);
  return {
    text,
    notes,
    nodeClass: objects[0],
    spec: objects[1].spec,
    template: objects[1].spec.template.spec,
    object: objects[1],
  };
}

describe('converting a Provisioner', () => {
  test('returns a v1 NodePool that refers to the EC2NodeClass by group, kind and name', () => {
    const { object, template } = pool(REF);
    expect(object).toMatchObject({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'default' } });
    expect(template.nodeClassRef).toEqual({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' });
  });

  test('moves labels, annotations, taints and startup taints to the template', () => {
    const { spec } = pool(
      `${REF}labels: { team: web }\nannotations: { example.com/owner: web }\ntaints: [{ key: a, effect: NoSchedule }]\nstartupTaints: [{ key: b, value: c, effect: NoExecute }]`,
    );
    expect(spec.template).toMatchObject({
      metadata: { labels: { team: 'web' }, annotations: { 'example.com/owner': 'web' } },
      spec: {
        taints: [{ key: 'a', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'b', value: 'c', effect: 'NoExecute' }],
      },
    });
  });

  test.each<[string, string, object]>([
    [
      'consolidation',
      'consolidation: { enabled: true }',
      { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    ],
    [
      'ttlSecondsAfterEmpty',
      'ttlSecondsAfterEmpty: 90',
      { consolidationPolicy: 'WhenEmpty', consolidateAfter: '1m30s' },
    ],
    [
      'ttlSecondsAfterEmpty of zero',
      'ttlSecondsAfterEmpty: 0',
      { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s' },
    ],
    [
      'consolidation that is disabled',
      'consolidation: { enabled: false }',
      { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    ],
    ['no disruption setting, which meant never', '', { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' }],
  ])('converts %s', (_, spec, disruption) => {
    expect(pool(REF + spec).spec.disruption).toEqual(disruption);
  });

  test.each([
    ['ttlSecondsUntilExpired: 2592000', '720h'],
    ['ttlSecondsUntilExpired: 5430', '1h30m30s'],
    ['ttlSecondsUntilExpired: 0550', '6m'],
    ['', 'Never'],
  ])('converts "%s" to expireAfter %s', (spec, expireAfter) => {
    expect(pool(REF + spec).template.expireAfter).toBe(expireAfter);
  });

  test('converts limits.resources to limits', () => {
    expect(pool(`${REF}limits: { resources: { cpu: 100, memory: 1Ti } }\nweight: 7`).spec).toMatchObject({
      limits: { cpu: 100, memory: '1Ti' },
      weight: 7,
    });
  });

  test('writes the requirements that the webhook added, and no others', () => {
    expect(pool(REF).template.requirements).toEqual([
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
      { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
    ]);
    const own = [
      'kubernetes.io/os',
      'beta.kubernetes.io/arch',
      'karpenter.sh/capacity-type',
      'karpenter.k8s.aws/instance-family',
    ];
    const requirements = own.map((key) => `- { key: ${key}, operator: Exists }\n`).join('');
    expect(pool(`${REF}requirements:\n${requirements}`).template.requirements.map(({ key }: any) => key)).toEqual(own);
  });

  test('moves kubelet settings to the EC2NodeClass, with amounts as strings', () => {
    const { nodeClass } = pool(`${REF}kubeletConfiguration: { maxPods: 50, kubeReserved: { cpu: 1, memory: 200Mi } }`);
    expect(nodeClass.spec.kubelet).toEqual({ maxPods: 50, kubeReserved: { cpu: '1', memory: '200Mi' } });
  });

  test('keeps containerRuntime as a comment, with a note', () => {
    const { nodeClass, text, notes } = pool(`${REF}kubeletConfiguration: { containerRuntime: containerd }`);
    expect(nodeClass.spec.kubelet).toBeUndefined();
    expect(text).toMatch(/^ *# containerRuntime: containerd$/m);
    expect(notes).toContainEqual(expect.stringMatching(/^kept: kubelet: containerRuntime/));
  });

  test('converts an inline provider to a separate EC2NodeClass', () => {
    const { objects } = convert(
      provisioner(
        'provider: { subnetSelector: { team: web }, securityGroupSelector: { team: web }, instanceProfile: nodes }',
      ),
    );
    expect(objects).toMatchObject([
      {
        kind: 'EC2NodeClass',
        metadata: { name: 'default' },
        spec: { instanceProfile: 'nodes', subnetSelectorTerms: [{ tags: { team: 'web' } }] },
      },
      { kind: 'NodePool', spec: { template: { spec: { nodeClassRef: { name: 'default' } } } } },
    ]);
  });

  test('names the EC2NodeClass of an inline provider uniquely in the input', () => {
    const inline = provisioner('provider: { subnetSelector: { team: web }, securityGroupSelector: { team: web } }');
    const { objects } = convert(
      join(
        inline,
        '{ apiVersion: v1, kind: List, items: [{ apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: { name: default } }] }\n',
      ),
    );
    expect(objects[0].metadata.name).toBe('default-2');
    expect(objects[1].spec.template.spec.nodeClassRef.name).toBe('default-2');
  });

  test('keeps a label that Karpenter reserves as a comment', () => {
    const { object, text, notes } = pool(`${REF}labels: { karpenter.sh/provisioner-name: default, team: web }`);
    expect(object.spec.template.metadata.labels).toEqual({ team: 'web' });
    expect(text).toMatch(/# karpenter\.sh\/nodepool: default/);
    expect(notes).toContainEqual(expect.stringMatching(/^kept: labels: karpenter\.sh\/nodepool must not be/));
  });

  test('keeps an unknown field as a comment, with a todo note', () => {
    const { text, notes } = pool(`${REF}weigth: 3`);
    expect(text).toMatch(/^ *# weigth: 3$/m);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: spec\.weigth is an unknown field/));
  });
});

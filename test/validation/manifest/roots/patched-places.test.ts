import { check, rootsOf } from '../../../../src/validation';
import { deployment, nodeClass, nodePool } from '../../rules/judge';

const found = (path: string, text: string) => ({ path, text, isFound: true });
const kustomization = (folder: string, fields: object) =>
  found(
    `${folder}/kustomization.yaml`,
    JSON.stringify({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...fields }),
  );
const placesOf = (rule: string, pool: object, patch: string, patches: object, spec: object = {}) => {
  const [root] = rootsOf([
    kustomization('base', { resources: ['pool.yaml', 'class.yaml'] }),
    found('base/pool.yaml', nodePool('default', pool)),
    found('base/class.yaml', nodeClass('default', spec)),
    kustomization('live', { resources: ['../base'], ...patches }),
    found('live/patch.yaml', patch),
  ]);
  return check(root.sources, { region: 'eu-west-1' })
    .findings.filter((finding) => finding.rule === rule)
    .map(({ location, fix }) => [location.file, location.path, fix !== undefined]);
};
const BUDGETS = 'spec.disruption.budgets';
const open = { disruption: { budgets: [{ nodes: '100%', reasons: ['Empty', 'Underutilized'] }] } };

describe('a finding about a kustomization', () => {
  const patch = JSON.stringify({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: open,
  });

  test.each([
    ['patches', { patches: [{ path: 'patch.yaml' }] }],
    ['patches with a target', { patches: [{ path: 'patch.yaml', target: { kind: 'NodePool' } }] }],
    ['patchesStrategicMerge', { patchesStrategicMerge: ['patch.yaml'] }],
  ])('is at the patch that adds the value, without an edit of the base: %s', (_, patches) => {
    expect(placesOf('KARP-430', {}, patch, patches)).toEqual([['live/patch.yaml', BUDGETS, false]]);
  });

  test('is at the patch that replaces the list of the base', () => {
    const pool = { disruption: { budgets: [{ nodes: '10%' }] } };
    expect(placesOf('KARP-430', pool, patch, { patches: [{ path: 'patch.yaml' }] })).toEqual([
      ['live/patch.yaml', BUDGETS, false],
    ]);
  });

  describe('of a JSON patch', () => {
    const values = (index: number, ...written: string[]) =>
      JSON.stringify([{ op: 'replace', path: `/spec/template/spec/requirements/${index}/values`, value: written }]);
    const pool = {
      requirements: [
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
        { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      ],
    };
    const target = { kind: 'NodePool', name: 'default' };
    const field = 'spec.template.spec.requirements[1].values';

    test.each([
      ['a file', 'live/patch.yaml', { patches: [{ path: 'patch.yaml', target }] }],
      ['the kustomization', 'live/kustomization.yaml', { patches: [{ patch: values(1, 'on-demand'), target }] }],
      ['patchesJson6902', 'live/patch.yaml', { patchesJson6902: [{ path: 'patch.yaml', target }] }],
    ])('is at the patch that changes the wrong entry, in %s, and gets no edit of the base', (_, place, patches) => {
      expect(placesOf('KARP-251', pool, values(1, 'on-demand'), patches)).toEqual([[place, field, false]]);
    });

    test('is at the value of the patch if it is an unknown one', () => {
      const patches = { patches: [{ path: 'patch.yaml', target }] };
      expect(placesOf('KARP-251', pool, values(1, 'amd46'), patches)).toEqual([
        ['live/patch.yaml', `${field}[0]`, false],
      ]);
    });

    test('is at the base if the patch changes something else', () => {
      const wrong = { requirements: [pool.requirements[0], { ...pool.requirements[1], values: ['amd46'] }] };
      const patches = { patches: [{ path: 'patch.yaml', target }] };
      expect(placesOf('KARP-251', wrong, values(0, 'on-demand'), patches)).toEqual([
        ['base/pool.yaml', `${field}[0]`, true],
      ]);
    });
  });

  test('is at the base if the patch changes something else', () => {
    const other = patch.replace(/"spec":.*/, '"spec":{"weight":5}}');
    expect(placesOf('KARP-430', open, other, { patches: [{ path: 'patch.yaml' }] })).toEqual([
      ['base/pool.yaml', BUDGETS, true],
    ]);
  });

  describe('in a list of a NodeClass that a patch replaces', () => {
    const device = (ebs: object) => ({ blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs }] });
    const withKey = nodeClass(
      'default',
      device({ volumeSize: '20Gi', kmsKeyID: 'arn:aws:kms:eu-west-1:111122223333:key/a' }),
    );
    const encrypted = device({ volumeSize: '20Gi', encrypted: true });
    const field = 'spec.blockDeviceMappings[0].ebs.encrypted';

    test.each([
      ['a file', 'live/patch.yaml', { patches: [{ path: 'patch.yaml' }] }],
      ['the kustomization', 'live/kustomization.yaml', { patches: [{ patch: withKey }] }],
    ])('is at the patch in %s that leaves out what the base has', (_, place, patches) => {
      expect(placesOf('KARP-100', {}, withKey, patches, encrypted)).toEqual([[place, field, false]]);
    });

    test('gets no edit of the base, even of an entry that both have', () => {
      const { blockDeviceMappings: written } = device({ volumeSize: '20Gi', throughput: '250' });
      const more = { deviceName: '/dev/xvdb', ebs: { volumeSize: '20Gi' } };
      const text = nodeClass('default', { blockDeviceMappings: [...written, more] });
      const base = { blockDeviceMappings: written };
      expect(placesOf('KARP-100', {}, text, { patches: [{ path: 'patch.yaml' }] }, base)).toEqual([
        ['live/patch.yaml', field.replace('encrypted', 'throughput'), false],
      ]);
    });

    test('keeps the pods of the NodeClass from getting nodes', () => {
      const [root] = rootsOf([
        kustomization('live', { resources: ['base.yaml'], patches: [{ path: 'patch.yaml' }] }),
        found(
          'live/base.yaml',
          [nodePool('default'), nodeClass('default', encrypted), deployment('web')].join('\n---\n'),
        ),
        found('live/patch.yaml', withKey),
      ]);
      const { summary, findings } = check(root.sources, { region: 'eu-west-1' });
      expect(summary.asWritten?.scheduledPods).toBe(0);
      expect(findings.find(({ rule }) => rule === 'KARP-100')?.excerpt?.lines.join('')).toContain('kmsKeyID');
    });

    test('is at the base if another NodeClass is patched', () => {
      const [root] = rootsOf([
        kustomization('live', { resources: ['class.yaml', 'other.yaml'], patches: [{ path: 'patch.yaml' }] }),
        found('live/class.yaml', withKey),
        found('live/other.yaml', nodeClass('other', encrypted)),
        found('live/patch.yaml', withKey.replace('"default"', '"other"')),
      ]);
      const places = check(root.sources).findings.filter(({ rule }) => rule === 'KARP-100');
      expect(places.map(({ location }) => location.file).sort()).toEqual(['live/class.yaml', 'live/patch.yaml']);
    });
  });

  test('is at the entry that a JSON patch appends or inserts', () => {
    const entry = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd46'] };
    const capacity = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] };
    const target = { kind: 'NodePool', name: 'default' };
    for (const [place, index] of [
      ['-', 1],
      ['0', 0],
    ] as const) {
      const text = JSON.stringify([{ op: 'add', path: `/spec/template/spec/requirements/${place}`, value: entry }]);
      expect(
        placesOf('KARP-251', { requirements: [capacity] }, text, { patches: [{ path: 'patch.yaml', target }] }),
      ).toEqual([['live/patch.yaml', `spec.template.spec.requirements[${index}].values[0]`, false]]);
    }
  });

  describe('of a workload', () => {
    const containers = (memory: string) => [
      { name: 'main', image: 'app', resources: { requests: { cpu: '1', memory: '1Gi' } } },
      { name: 'sidecar', image: 'app', resources: { requests: { cpu: '1', memory } } },
    ];
    const web = (memory: string) => deployment('web', { containers: containers(memory) });
    const placed = (text: string, patches: object | string, memory = '1Gi') => {
      const [root] = rootsOf([
        kustomization('base', { resources: ['web.yaml', 'pool.yaml'] }),
        found('base/web.yaml', web(memory)),
        found('base/pool.yaml', [nodePool('default'), nodeClass()].join('\n---\n')),
        typeof patches === 'string'
          ? found('live/kustomization.yaml', patches)
          : kustomization('live', { resources: ['../base'], ...patches }),
        found('live/patch.yaml', text),
      ]);
      return check(root.sources)
        .findings.filter(({ rule, message }) => rule === 'KARP-100' && message.includes('512m'))
        .map(({ location, excerpt, fix }) => [
          location.file,
          location.path,
          excerpt?.lines.join('').includes('512m'),
          fix === undefined,
        ]);
    };
    const field = 'spec.template.spec.containers[1].resources.requests.memory';
    const target = { kind: 'Deployment', name: 'web' };
    const operations = JSON.stringify(
      [{ op: 'replace', path: '/spec/template/spec/containers/1/resources/requests/memory', value: '512m' }],
      undefined,
      1,
    );
    const merge = JSON.stringify(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: {
          template: { spec: { containers: [{ name: 'sidecar', resources: { requests: { memory: '512m' } } }] } },
        },
      },
      undefined,
      1,
    );

    const inline = (text: string, more = '') =>
      `resources: [../base]\npatches:\n  - patch: |-\n${text.replace(/^/gm, '      ')}\n${more}`;

    test.each<[string, string, string, object | string]>([
      ['a JSON patch', 'live/patch.yaml', operations, { patches: [{ path: 'patch.yaml', target }] }],
      [
        'a JSON patch of the kustomization',
        'live/kustomization.yaml',
        operations,
        inline(operations, '    target: { kind: Deployment, name: web }\n'),
      ],
      ['a merge patch', 'live/patch.yaml', merge, { patches: [{ path: 'patch.yaml' }] }],
      [
        'a merge patch with a target',
        'live/patch.yaml',
        merge,
        { patches: [{ path: 'patch.yaml', target: { kind: 'Deployment' } }] },
      ],
      ['a merge patch of the kustomization', 'live/kustomization.yaml', merge, inline(merge)],
      ['patchesStrategicMerge', 'live/patch.yaml', merge, { patchesStrategicMerge: ['patch.yaml'] }],
    ])('is at the value of %s', (_, file, text, patches) => {
      const path = text === merge ? field.replace('[1]', '[0]') : field;
      expect(placed(text, patches)).toEqual([[file, path, true, true]]);
    });

    test('is at the base if the patch writes another value', () => {
      const other = merge.replace('"memory": "512m"', '"cpu": "2"');
      expect(placed(other, { patches: [{ path: 'patch.yaml' }] }, '512m')).toEqual([
        ['base/web.yaml', field.replace('[1]', '[0]'), true, true],
      ]);
    });
  });
});

import { rootsOf } from '../../../src/validation';
import { check } from '../../../src/validation/check/check';
import { deployment, NODE_CLASS, SMALL } from '../setup';

const POOL = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spott'] }],
      },
    },
  },
};

/** Where the misspelt value is found in a folder with this file. */
function places(path: string, text: string) {
  const files = { [path]: text, 'apps.yaml': `${NODE_CLASS}---\n${deployment('web', 1, SMALL)}` };
  const [root] = rootsOf(Object.entries(files).map(([name, own]) => ({ path: name, text: own, isFound: true })));
  return check(root.sources)
    .findings.filter(({ message }) => message.includes('spott'))
    .map(({ subject, location }) => [subject.name, location.file, location.line, location.path]);
}

/** The lines with the misspelt value. */
function linesOf(text: string): number[] {
  return text.split('\n').flatMap((line, index) => (line.includes('spott') ? index + 1 : []));
}

const FIELD = 'spec.template.spec.requirements[0].values[0]';

test.each<[string, object]>([
  [
    'an Object of Crossplane',
    {
      apiVersion: 'kubernetes.crossplane.io/v1alpha2',
      kind: 'Object',
      metadata: { name: 'pool' },
      spec: { forProvider: { manifest: POOL } },
    },
  ],
  [
    'a ManifestWork',
    {
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: { name: 'pool' },
      spec: { workload: { manifests: [POOL] } },
    },
  ],
])('reads the NodePool in %s, with the places of its file', (_, wrapper) => {
  const text = JSON.stringify(wrapper, null, 1);
  expect(places('pool.yaml', text)).toEqual([['default', 'pool.yaml', linesOf(text)[0], FIELD]]);
});

test('reads the objects of a Pulumi program in YAML', () => {
  const { apiVersion, kind, metadata, spec } = POOL;
  const program = {
    name: 'eks',
    runtime: 'yaml',
    resources: {
      pool: { type: 'kubernetes:karpenter.sh/v1:NodePool', properties: { metadata, spec } },
      other: { type: 'kubernetes:apiextensions.k8s.io:CustomResource', properties: { apiVersion, kind, spec } },
      bucket: { type: 'aws:s3:Bucket', properties: {} },
    },
  };
  const text = JSON.stringify(program, null, 1);
  const [first, second] = linesOf(text);
  expect(places('Pulumi.yaml', text)).toEqual([
    ['default', 'Pulumi.yaml', first, FIELD],
    ['other', 'Pulumi.yaml', second, FIELD],
  ]);
});

import { readSession } from '../../../../src/validation/context/check-session';
import { poolChanges } from '../../../../src/validation/recommend/changes';
import { PoolChange } from '../../../../src/validation/recommend/changes/pool-change';
import { deployment, manifests, NODE_CLASS, SMALL } from '../../setup';

const options = { karpenterVersion: '1.15.1', region: 'us-east-1' };
const ON_DEMAND = '{ key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }';

function pool(name: string, requirements: readonly string[], fields = ''): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
${fields}  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements:
${requirements.map((requirement) => `        - ${requirement}\n`).join('')}`;
}

function changesOf(...documents: readonly string[]): PoolChange[] {
  const session = readSession(manifests(NODE_CLASS, ...documents), options);
  return poolChanges(session, session.model.nodePools);
}

const descriptionsOf = (...documents: readonly string[]) =>
  changesOf(...documents).map(({ description }) => description);
const matching = (pattern: RegExp, ...documents: readonly string[]) =>
  descriptionsOf(...documents).filter((description) => pattern.test(description));

describe('changes that are worth a try', () => {
  test('bound the CPUs of nodes in both directions', () => {
    expect(matching(/^launch nodes of at/, pool('a', [ON_DEMAND]))).toEqual([
      ...[2, 4, 8, 16, 32, 48, 64, 96].map((cpus) => `launch nodes of at most ${cpus} CPUs`),
      ...[2, 4, 8, 16].map((cpus) => `launch nodes of at least ${cpus} CPUs`),
    ]);
  });

  test('replace a bound that the NodePool has', () => {
    const [change] = changesOf(
      pool('a', ['{ key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["9"] }']),
    ).filter(({ description }) => description === 'launch nodes of at most 16 CPUs');
    expect(change.edits).toEqual([
      { operation: 'set', path: ['spec', 'template', 'spec', 'requirements', 0, 'values', 0], value: '17' },
    ]);
  });

  test('add sizes that a list leaves out', () => {
    expect(
      matching(
        /sizes/,
        pool('a', ['{ key: karpenter.k8s.aws/instance-size, operator: In, values: [xlarge, 2xlarge] }']),
      ),
    ).toEqual(['allow sizes large, 4xlarge, 8xlarge, 12xlarge and 16xlarge as well']);
  });

  test('add families of the same categories and architecture, as new or newer', () => {
    const families = changesOf(
      pool('a', ['{ key: karpenter.k8s.aws/instance-family, operator: In, values: [m6i, r7i] }']),
    )
      .filter(({ subject }) => subject === 'families')
      .flatMap(({ edits }) => edits.map((edit) => (edit.operation === 'append' ? edit.value : undefined)));
    expect(families).toEqual(expect.arrayContaining(['m6a', 'm7i', 'm7a', 'r7a']));
    for (const family of families) expect(family).toMatch(/^(m[6-9]|r[7-9])[ai]?$/);
  });

  test('add types of sibling families and other sizes to a list of types', () => {
    const types = '{ key: node.kubernetes.io/instance-type, operator: In, values: [t3.medium] }';
    expect(matching(/^allow instance types/, pool('a', [types]))).toEqual([
      'allow instance types t3a.medium and t8i.medium as well',
      'allow instance types t3.large, t3.xlarge and t3.2xlarge as well',
    ]);
  });

  test('leave families with GPUs as they are, and bound their GPUs', () => {
    const gpus = pool('a', ['{ key: karpenter.k8s.aws/instance-family, operator: In, values: [g5, g6] }']);
    expect(matching(/families|categor/, gpus)).toEqual([]);
    expect(matching(/GPU/, gpus)).toEqual(['launch nodes of at most 1 GPU', 'launch nodes of at most 4 GPUs']);
  });

  test('allow spot only with the consent of the user', () => {
    expect(changesOf(pool('a', [ON_DEMAND])).filter(({ consent }) => consent !== undefined)).toMatchObject([
      { description: 'allow spot as well', consent: 'spot', condition: expect.stringContaining('two minutes') },
    ]);
  });

  test('allow zones that a list leaves out', () => {
    expect(
      matching(/us-east/, pool('a', ['{ key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a] }'])),
    ).toEqual(['allow us-east-1b and us-east-1c as well']);
  });

  test('allow an older generation than the bound, but none before the fifth', () => {
    const generation = (least: number) =>
      pool('a', [`{ key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["${least}"] }`]);
    expect(matching(/generation/, generation(6))).toEqual(['allow instance generation 5 and newer']);
    expect(matching(/generation/, generation(4))).toEqual([]);
  });

  test('let a NodePool take the pods of another one from which it differs only in lists', () => {
    const category = (name: string) => `{ key: karpenter.k8s.aws/instance-category, operator: In, values: [${name}] }`;
    expect(matching(/NodePool \w+ allows/, pool('a', [category('c')]), pool('b', [category('r')]))).toEqual([
      'allow all that NodePool b allows, which is then not needed',
      'allow all that NodePool a allows, which is then not needed',
    ]);
    expect(matching(/NodePool \w+ allows/, pool('a', [category('c')]), pool('b', [ON_DEMAND]))).toEqual([]);
  });

  test('do not let a NodePool take spot pods or other architectures by merging', () => {
    const list = (key: string, value: string) => `{ key: ${key}, operator: In, values: [${value}] }`;
    for (const [key, one, other] of [
      ['karpenter.sh/capacity-type', 'on-demand', 'spot'],
      ['kubernetes.io/arch', 'amd64', 'arm64'],
    ])
      expect(matching(/NodePool \w+ allows/, pool('a', [list(key, one)]), pool('b', [list(key, other)]))).toEqual([]);
  });
});

describe('arm64', () => {
  const AMD64 = '{ key: kubernetes.io/arch, operator: In, values: [amd64] }';
  const withImage = (image: string) =>
    deployment('web', 2, SMALL).replace('name: main,', `name: main, image: "${image}",`);

  test('is tried if all images are built for it, and the images are named', () => {
    const [change] = changesOf(pool('a', [AMD64]), withImage('nginx:1.27')).filter(
      ({ consent }) => consent === 'arm64',
    );
    expect(change).toMatchObject({
      description: 'allow arm64 as well',
      condition: 'These images must run on arm64, which their names or publishers say: nginx:1.27.',
    });
  });

  test('is not tried if nothing shows that an image is built for it', () => {
    expect(matching(/arm64/, pool('a', [AMD64]), withImage('registry.example.com/shop/web:1'))).toEqual([]);
    expect(
      matching(/arm64/, pool('a', [AMD64]), withImage('nginx:1.27'), withImage('corp/web:1').replace(/web/g, 'b')),
    ).toEqual([]);
  });

  test('brings families with it, because a list of families may have none', () => {
    const families = '{ key: karpenter.k8s.aws/instance-family, operator: In, values: [m7i] }';
    expect(matching(/arm64/, pool('a', [AMD64, families]), withImage('nginx:1.27'))).toEqual([
      'allow arm64 as well, with families for it',
    ]);
  });

  test('is not tried with a custom AMI, which is built for one architecture', () => {
    const custom = NODE_CLASS.replace('{ alias: al2023@v20250915 }', '{ id: ami-0123456789abcdef0 }').replace(
      'role: node',
      'role: node\n  amiFamily: AL2023',
    );
    const session = readSession(manifests(custom, pool('a', [AMD64]), withImage('nginx:1.27')), options);
    expect(poolChanges(session, session.model.nodePools).filter(({ consent }) => consent === 'arm64')).toEqual([]);
  });
});

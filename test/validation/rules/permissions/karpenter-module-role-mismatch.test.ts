import { check, withKarpenterOfRepository } from '../../../../src/validation';
import { karpenterTrace } from '../../../../src/validation/manifest/source/karpenter-trace';
import { folderOfText } from '../../../../src/validation/manifest/source/terraform/terraform-folders';
import { writtenResources } from '../../../../src/validation/manifest/source/terraform/written-resources';
import { nodeClass, nodePool } from '../judge';

/** The findings of a call of the module, beside a class. */
function findingsOf(args: string, spec: object, version = '~> 21.0', release = '', pool: object = {}) {
  const path = 'terraform/main.tf';
  const text = `module "karpenter" {
  source  = "terraform-aws-modules/eks/aws//modules/karpenter"
  version = "${version}"
  ${args}
}
`;
  const sources = [
    { path: 'k8s/all.yaml', text: `${nodeClass('default', spec)}\n---\n${nodePool('default', pool)}`, isFound: true },
    ...(release === '' ? [] : [{ path: 'k8s/karpenter.yaml', text: release, isFound: true }]),
  ];
  const resources = writtenResources({ path, text }, folderOfText(path, text));
  const root = { name: 'k8s', kind: 'files' as const, sources, notes: [] };
  const [{ sources: all }] = withKarpenterOfRepository(
    [root],
    [...sources, ...karpenterTrace({ path, text }, '.tf', { resources })],
  );
  return check(all).findings.filter(({ rule }) => ['KARP-502', 'KARP-606', 'KARP-617'].includes(rule));
}

const CLUSTER = 'cluster_name = "prod"';
const remediesOf = (...args: Parameters<typeof findingsOf>) => findingsOf(...args).map(({ remedy }) => remedy);

describe('KARP-617 karpenter-module-role-mismatch', () => {
  test.each([
    [
      'the prefix of the name',
      CLUSTER,
      'Karpenter-prod',
      'write node_iam_role_use_name_prefix = false in module.karpenter',
    ],
    [
      'another name than the prefix',
      CLUSTER,
      'nodes',
      'write node_iam_role_name = "nodes" and node_iam_role_use_name_prefix = false in module.karpenter',
    ],
    ['another name', `${CLUSTER}\n  node_iam_role_use_name_prefix = false`, 'nodes', 'write role: Karpenter-prod'],
    [
      'another name than that of an existing role',
      'create_node_iam_role = false\n  node_iam_role_arn = "arn:aws:iam::1:role/team/workers"',
      'nodes',
      'write role: workers',
    ],
    [
      'the role of the controller',
      CLUSTER,
      '${module.karpenter.iam_role_name}',
      'write ${module.karpenter.node_iam_role_name}',
    ],
    [
      'a name whose end no name with a prefix has',
      CLUSTER,
      '${module.eks.cluster_name}-karpenter-node',
      'write node_iam_role_use_name_prefix = false in module.karpenter',
    ],
    ['an ARN', CLUSTER, '${module.karpenter.node_iam_role_arn}', 'write ${module.karpenter.node_iam_role_name}'],
  ])('reports %s', (_, args, role, remedy) => {
    expect(remediesOf(args, { role })).toEqual([remedy]);
  });

  test('reports an instance profile that the module does not create', () => {
    const spec = { role: undefined, instanceProfile: '${module.karpenter.instance_profile_name}' };
    expect(remediesOf(CLUSTER, spec)[0]).toContain('write role: ${module.karpenter.node_iam_role_name}');
    expect(remediesOf(`${CLUSTER}\n  create_instance_profile = true`, spec)).toEqual([]);
  });

  test('passes the role of the module, an unknown one, older releases and policies for more roles', () => {
    expect(remediesOf(CLUSTER, { role: '${module.karpenter.node_iam_role_name}' })).toEqual([]);
    expect(remediesOf(CLUSTER, { role: 'Karpenter-prod-20250801' })).toEqual([]);
    expect(remediesOf('cluster_name = var.cluster', { role: 'nodes' })).toEqual([]);
    expect(remediesOf(`${CLUSTER}\n  iam_policy_statements = []`, { role: 'nodes' })).toEqual([]);
    expect(remediesOf(CLUSTER, { role: 'nodes' }, '19.21.0')).toEqual([]);
    expect(remediesOf(`${CLUSTER}\n  policies = {}`, { role: 'nodes' })).toEqual([]);
  });
});

describe('the service account of the Karpenter module (KARP-606)', () => {
  const chart = (namespace: string, annotated = false) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: karpenter, namespace: ${namespace} }
spec:
  chart: { spec: { chart: karpenter, version: 1.8.1, sourceRef: { kind: HelmRepository, name: karpenter } } }
  values:
    settings: { clusterName: prod }
    ${annotated ? "serviceAccount: { annotations: { eks.amazonaws.com/role-arn: '${module.karpenter.iam_role_arn}' } }" : ''}
`;
  const role = { role: '${module.karpenter.node_iam_role_name}' };
  const messages = (args: string, version: string, release: string) =>
    findingsOf(args, role, version, release).map(({ message }) => message);

  test.each([
    ['kube-system by default', CLUSTER, '~> 21.0', 1],
    ['the namespace that is written', `${CLUSTER}\n  namespace = "karpenter"`, '~> 21.0', 0],
    ['nothing before version 21', CLUSTER, '~> 20.24', 0],
    ['kube-system if version 20 creates it', `${CLUSTER}\n  create_pod_identity_association = true`, '20.24.0', 1],
    ['something unknown with an open constraint', CLUSTER, '>= 20.0', 0],
  ])('is associated with %s', (_, args, version, count) => {
    expect(messages(args, version, chart('karpenter'))).toHaveLength(count);
  });

  test('reads the queue that the module names after the cluster (KARP-502)', () => {
    const reading = (queue: string) =>
      chart('kube-system').replace('clusterName: prod', `clusterName: prod, interruptionQueue: ${queue}`);
    const remedies = (queue: string, args = CLUSTER) => remediesOf(args, role, '~> 21.0', reading(queue));
    expect(remedies('prod')).toEqual(['write Karpenter-prod']);
    expect(remedies('Karpenter-prod')).toEqual([]);
    expect(remedies('prod', `${CLUSTER}\n  queue_name = "prod"`)).toEqual([]);
    expect(remedies('prod', 'cluster_name = var.cluster')).toEqual([]);
  });

  test('makes no queue for spot with enable_spot_termination = false (KARP-502)', () => {
    const release = chart('kube-system').replace(
      'clusterName: prod',
      'clusterName: prod, interruptionQueue: "${module.karpenter.queue_name}"',
    );
    const ofType = (...values: string[]) => ({
      requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values }],
    });
    const spot = ofType('spot', 'on-demand');
    const found = (value: string, pool: object) =>
      findingsOf(`${CLUSTER}\n  enable_spot_termination = ${value}`, role, '~> 21.0', release, pool);
    expect(found('false', spot)).toMatchObject([
      {
        rule: 'KARP-502',
        message: expect.stringContaining('which is null'),
        location: { line: 5 },
        remedy: 'remove enable_spot_termination = false from module.karpenter: its default is true',
      },
    ]);
    for (const value of ['true', 'var.spot']) expect(found(value, spot)).toEqual([]);
    expect(found('false', ofType('on-demand'))).toEqual([]);
  });

  test('is trusted for karpenter/karpenter by OIDC', () => {
    const args = `${CLUSTER}\n  enable_irsa = true`;
    expect(messages(args, '~> 20.24', chart('karpenter', true))).toEqual([]);
    expect(messages(args, '~> 20.24', chart('kube-system', true))).toEqual([
      expect.stringContaining('its trust policy allows only system:serviceaccount:karpenter:karpenter'),
    ]);
  });
});

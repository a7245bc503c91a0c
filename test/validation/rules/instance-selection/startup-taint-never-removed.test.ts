import { startupTaintNeverRemoved } from '../../../../src/validation/rules/instance-selection/startup-taint-never-removed';
import { daemonSet, deployment, judge, manifest, nodeClass, nodePool } from '../judge';

const rule = startupTaintNeverRemoved;
const EBS = { key: 'ebs.csi.aws.com/agent-not-ready', effect: 'NoExecute' };
const ISTIO = { key: 'cni.istio.io/not-ready', effect: 'NoSchedule' };

function poolWith(...startupTaints: unknown[]): string {
  const pool = JSON.parse(nodePool('core'));
  pool.spec.template.spec.startupTaints = startupTaints;
  return JSON.stringify(pool);
}

describe('KARP-258 startup-taint-never-removed', () => {
  test.each([
    ['efs.csi.aws.com/agent-notready', 'efs.csi.aws.com/agent-not-ready'],
    ['ebs.csi.aws.com/not-ready', 'ebs.csi.aws.com/agent-not-ready'],
    ['node.cilium.io/agent-notready', 'node.cilium.io/agent-not-ready'],
  ])('reports %s, which is meant to be %s', (key, meant) => {
    expect(judge(rule, [nodeClass(), poolWith({ key, effect: 'NoExecute' })]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'startupTaints', 0, 'key'],
        remedy: `write ${meant} instead of ${key}`,
        evidence: { taint: key, meant },
        fix: { edits: [{ operation: 'set', value: meant }] },
      },
    ]);
  });

  test('passes taints of agents that are not in the input, and taints of others', () => {
    const pool = poolWith(EBS, { key: 'example.com/warming-up', effect: 'NoSchedule' });
    expect(judge(rule, [nodeClass(), pool]).states).toEqual(['pass NodePool/core']);
  });

  test('reports a driver that is not among the programs of the input', () => {
    const others = [daemonSet('fluent-bit', { cpu: '10m' }), daemonSet('node-exporter', { cpu: '10m' })];
    const found = (...documents: string[]) => judge(rule, [nodeClass(), poolWith(EBS), ...documents]).findings;
    expect(found(...others)).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'startupTaints', 0],
        severity: 'warning',
        remedy: expect.stringContaining('install aws-ebs-csi-driver, or remove the startup taint'),
        fix: { edits: [{ operation: 'remove' }] },
      },
    ]);
    const driver = manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'ebs', {
      chart: { spec: { chart: 'aws-ebs-csi-driver' } },
    });
    expect(found(...others, driver)).toEqual([]);
    expect(found(others[0])).toEqual([]);
    const s3 = poolWith({ key: 's3.csi.aws.com/agent-not-ready', effect: 'NoExecute' });
    expect(judge(rule, [nodeClass(), s3]).findings).toEqual([]);
  });

  test('reports an agent that does not tolerate the taint that it has to remove', () => {
    const agent = (effect: string) =>
      daemonSet('ebs-csi-node', { cpu: '10m' }, { tolerations: [{ operator: 'Exists', effect }] });
    const { findings } = judge(rule, [nodeClass(), poolWith(EBS), agent('NoSchedule')]);
    expect(findings).toMatchObject([
      {
        object: { kind: 'DaemonSet', name: 'ebs-csi-node' },
        path: ['spec', 'template', 'spec', 'tolerations'],
        remedy: 'add the toleration {key: ebs.csi.aws.com/agent-not-ready, operator: Exists}',
      },
    ]);
    expect(judge(rule, [nodeClass(), poolWith(EBS), agent('NoExecute')]).findings).toEqual([]);
  });

  describe('with a permanent taint', () => {
    const tainted = (key = EBS.key) => {
      const pool = JSON.parse(poolWith({ key, effect: 'NoExecute' }));
      pool.spec.template.spec.taints = [{ key: 'team', value: 'a', effect: 'NoSchedule' }];
      return JSON.stringify(pool);
    };
    const release = (chart: string, node: object) =>
      manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'driver', { chart: { spec: { chart } }, values: { node } });
    const found = (agent: string, key?: string) => judge(rule, [nodeClass(), tainted(key), agent]).findings;

    test('reports a driver whose chart does not tolerate it', () => {
      expect(found(release('aws-ebs-csi-driver', { tolerateAllTaints: false }))).toMatchObject([
        {
          object: { kind: 'HelmRelease' },
          path: ['spec', 'values', 'node', 'tolerateAllTaints'],
          message: expect.stringContaining('the EBS CSI driver does not tolerate team=a:NoSchedule of NodePool core'),
          remedy: 'write node.tolerateAllTaints: true',
          evidence: { stuckPools: ['core'] },
          fix: { edits: [{ operation: 'set', value: true }] },
        },
      ]);
      expect(
        found(
          release('aws-efs-csi-driver', { tolerations: [{ key: 'x', operator: 'Exists' }] }),
          'efs.csi.aws.com/agent-not-ready',
        ),
      ).toMatchObject([{ remedy: 'add a toleration of team=a:NoSchedule to node.tolerations' }]);
      expect(found(release('aws-mountpoint-s3-csi-driver', {}), 's3.csi.aws.com/agent-not-ready')).toHaveLength(1);
    });

    test('reports the configuration of an add-on, and a DaemonSet', () => {
      const cluster = (node: object) =>
        JSON.stringify({
          apiVersion: 'eksctl.io/v1alpha5',
          kind: 'ClusterConfig',
          metadata: { name: 'demo', region: 'eu-west-1' },
          addons: [{ name: 'aws-ebs-csi-driver', configurationValues: JSON.stringify({ node }) }],
        });
      expect(found(cluster({ tolerateAllTaints: false }))).toMatchObject([
        { path: ['addons', 0, 'configurationValues'] },
      ]);
      expect(found(cluster({}))).toEqual([]);
      const set = (toleration: object) => daemonSet('ebs-csi-node', { cpu: '10m' }, { tolerations: [toleration] });
      expect(found(set({ key: EBS.key, operator: 'Exists' }))).toMatchObject([{ object: { name: 'ebs-csi-node' } }]);
      expect(found(set({ operator: 'Exists' }))).toEqual([]);
    });

    test('passes charts that tolerate it, by default or as written', () => {
      const team = { key: 'team', operator: 'Exists' };
      const efs = 'efs.csi.aws.com/agent-not-ready';
      expect(found(release('aws-ebs-csi-driver', {}))).toEqual([]);
      expect(found(release('aws-ebs-csi-driver', { tolerateAllTaints: false, tolerations: [team] }))).toEqual([]);
      expect(found(release('aws-ebs-csi-driver', { tolerateAllTaints: '${all}' }))).toEqual([]);
      expect(found(release('aws-efs-csi-driver', {}), efs)).toEqual([]);
      expect(found(release('aws-fsx-csi-driver', { tolerateAllTaints: false }))).toEqual([]);
    });
  });

  test('reports istiod without the setting that removes the taint of Istio CNI', () => {
    const istiod = (env: object[]) =>
      deployment('istiod', { containers: [{ name: 'discovery', image: 'istio/pilot', env }] });
    const on = { name: 'PILOT_ENABLE_NODE_UNTAINT_CONTROLLERS', value: 'true' };
    expect(judge(rule, [nodeClass(), poolWith(ISTIO), istiod([])]).findings).toMatchObject([
      { object: { name: 'istiod' }, evidence: { taint: ISTIO.key, nodePool: 'core' } },
    ]);
    expect(judge(rule, [nodeClass(), poolWith(ISTIO), istiod([on])]).findings).toEqual([]);
  });

  test('does not evaluate startup taints that are known only at deployment', () => {
    expect(judge(rule, [nodeClass(), poolWith({ key: '${Token[TOKEN.1]}', effect: 'NoExecute' })]).whys).toHaveLength(
      1,
    );
  });

  test('does not apply without startup taints', () => {
    expect(judge(rule, [nodeClass(), nodePool('core')]).outcomes).toEqual([]);
  });
});

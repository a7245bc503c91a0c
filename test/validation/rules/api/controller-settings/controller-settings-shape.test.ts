import { controllerSettingsShape } from '../../../../../src/validation/rules/api/controller-settings/controller-settings-shape';
import { deployment, judge, judgeStack } from '../../judge';
import { chart, get, openChart } from '../../stack';

describe('KARP-115 controller-settings-shape', () => {
  const rule = controllerSettingsShape;
  const CHART = 'Custom::AWSCDK-EKS-HelmChart/Karpenter';
  const CLUSTER = { Type: 'AWS::EKS::Cluster', Properties: {} };
  const withClusterName = (clusterName: unknown, cluster: unknown = 'prod') => ({
    Karpenter: chart({ settings: { clusterName } }, { cluster }),
    Cluster: CLUSTER,
  });
  const flux = (settings: object) =>
    JSON.stringify({
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: 'karpenter', namespace: 'kube-system' },
      spec: { chart: { spec: { chart: 'karpenter', version: '1.15.1' } }, values: { settings } },
    });

  test.each<[string, object]>([
    ['the name of the cluster', withClusterName('prod')],
    ['a reference to it', withClusterName({ Ref: 'Cluster' }, { Ref: 'Cluster' })],
  ])('passes with %s', (_, resources) => expect(judgeStack(rule, resources).states).toEqual([`pass ${CHART}`]));

  test.each<[string, object, string, string]>([
    [
      'no cluster',
      { Karpenter: chart() },
      'settings.clusterName is not set: Helm refuses to install the chart',
      'write settings.clusterName: prod',
    ],
    [
      'another cluster',
      withClusterName('staging'),
      'settings.clusterName is staging, but the chart is installed in cluster prod',
      'write settings.clusterName: prod',
    ],
    [
      'a literal name for a cluster with a generated name',
      withClusterName('prod', { Ref: 'Cluster' }),
      'settings.clusterName is prod, but the chart is installed in cluster <name of ',
      'write settings.clusterName: <name of ',
    ],
  ])('reports %s', (_, resources, message, remedy) => {
    const [finding] = judgeStack(rule, resources).findings;
    expect(finding.message).toContain(message);
    expect(finding.remedy).toContain(remedy);
  });

  test('reports a HelmRelease without a cluster name, and passes any name', () => {
    expect(judge(rule, [flux({})]).findings.map(({ remedy }) => remedy)).toEqual([
      'set settings.clusterName to the name of the cluster',
    ]);
    expect(judge(rule, [flux({ clusterName: 'prod' })]).states).toEqual(['pass HelmRelease/karpenter']);
    expect(judge(rule, [flux({ clusterName: '${CLUSTER}' })]).states).toEqual(['pass HelmRelease/karpenter']);
  });

  test.each([
    [
      'a host without https://',
      'ABC.gr7.us-east-1.eks.amazonaws.com',
      'write https://ABC.gr7.us-east-1.eks.amazonaws.com',
    ],
    ['a path', '/api', 'write the URL of the API server, or remove the setting: Karpenter then reads it from EKS'],
  ])('reports an endpoint that is %s', (_, clusterEndpoint, remedy) => {
    expect(judge(rule, [flux({ clusterName: 'prod', clusterEndpoint })]).findings).toMatchObject([
      {
        message: `settings.clusterEndpoint is ${clusterEndpoint}, which is no URL: Karpenter ends at its start`,
        remedy,
      },
    ]);
  });

  test.each(['', 'https://ABC.gr7.us-east-1.eks.amazonaws.com', '${ENDPOINT}'])(
    'accepts the endpoint "%s"',
    (clusterEndpoint) => {
      expect(judge(rule, [flux({ clusterName: 'prod', clusterEndpoint })]).findings).toEqual([]);
    },
  );

  test.each<[string, object, Array<[string, string]>]>([
    ['a misspelt setting', { featureGate: {} }, [['settings.featureGate', 'write settings.featureGates']]],
    [
      "a feature gate in the controller's spelling",
      { featureGates: { SpotToSpotConsolidation: true } },
      [['settings.featureGates.SpotToSpotConsolidation', 'write settings.featureGates.spotToSpotConsolidation']],
    ],
    [
      'settings of charts before 0.32',
      { interruptionQueueName: 'q', aws: { clusterName: 'prod', interruptionQueueName: 'q', enablePodENI: true } },
      [
        [
          'unknown chart value settings.aws, which is of charts before 0.32: the chart ignores all keys below it',
          'write settings.clusterName and settings.interruptionQueue instead',
        ],
        ['settings.interruptionQueueName', 'write settings.interruptionQueue'],
      ],
    ],
  ])('reports %s, which the chart ignores', (_, settings, expected) => {
    const { findings } = judge(rule, [flux({ clusterName: 'prod', ...settings })]);
    expect(
      findings.map(({ message, remedy }) => [
        message.replace(/^unknown chart value (.*): the chart ignores it.*/, '$1'),
        remedy,
      ]),
    ).toEqual(expected);
  });

  test('reports the cluster name in settings of charts before 0.32 once', () => {
    const { findings } = judge(rule, [flux({ aws: { clusterName: 'prod' } })]);
    expect(findings.map(({ message, remedy }) => [message, remedy])).toEqual([
      [
        expect.stringMatching(/and Helm refuses to install it without settings\.clusterName$/),
        'write settings.clusterName instead',
      ],
    ]);
  });

  test('reports a share of memory that leaves none, or that Karpenter refuses', () => {
    const of = (share: unknown) =>
      judge(rule, [flux({ clusterName: 'prod', vmMemoryOverheadPercent: share })]).findings.map(({ remedy }) => remedy);
    expect(of(7.5)).toEqual(['write 0.075, which means 7.5%']);
    expect(of('10')).toEqual(['write 0.1, which means 10%']);
    expect(of(-0.1)).toEqual(['write a share below 1, such as 0.075']);
    expect([0, 0.075, '0.1', '', '${SHARE}', undefined].flatMap(of)).toEqual([]);
  });

  test('reports values that Karpenter cannot parse, for which it takes the default', () => {
    const of = (settings: object) =>
      judge(rule, [flux({ clusterName: 'prod', ...settings })]).findings.map(
        ({ severity, message, remedy }) => `${severity}: ${message}; ${remedy}`,
      );
    expect(of({ batchMaxDuration: 30, batchIdleDuration: '5 s', amiRefreshInterval: 5 })).toEqual([
      expect.stringMatching(/^warning: .*batchMaxDuration is 30, which is no duration .* default, 10s; write 30s$/),
      expect.stringMatching(/^warning: .*batchIdleDuration is 5 s, .* default, 1s; write 5s$/),
      expect.stringMatching(/^warning: .*amiRefreshInterval is 5, .* such as 5m$/),
    ]);
    expect(of({ batchIdleDuration: 1 })).toEqual([expect.stringMatching(/^info: /)]);
    expect(of({ vmMemoryOverheadPercent: '7%', reservedENIs: 'one', isolatedVPC: 'enabled' })).toHaveLength(3);
    expect(of({ featureGates: { nodeRepair: 'enabled' } })).toEqual([
      expect.stringMatching(/settings.featureGates.nodeRepair is enabled, .* ends at its start; write true or/),
    ]);
    const fine = { batchMaxDuration: '1m30s', batchIdleDuration: '${IDLE}', reservedENIs: '1', isolatedVPC: 'true' };
    expect(of({ ...fine, eksControlPlane: false, amiRefreshInterval: 0, featureGates: { nodeRepair: true } })).toEqual(
      [],
    );
  });

  test('reports words that Karpenter refuses, and a batch window that never ends early', () => {
    const of = (settings: object) =>
      judge(rule, [flux({ clusterName: 'prod', ...settings })]).findings.map(({ remedy }) => remedy);
    expect(of({ preferencePolicy: 'ignore', minValuesPolicy: 'Relaxed' })).toEqual([
      'write Ignore',
      'write Strict or BestEffort',
    ]);
    expect(of({ batchIdleDuration: '15s' })).toEqual([expect.stringContaining('longer maximum than 15s')]);
    expect(of({ preferencePolicy: 'Ignore', batchIdleDuration: '2s', batchMaxDuration: '20s' })).toEqual([]);
  });

  describe('for a Deployment', () => {
    const of = (variables: Record<string, string>, args: string[] = []) => {
      const env = Object.entries({ KARPENTER_SERVICE: 'karpenter', ...variables }).map(([name, value]) => ({
        name,
        value,
      }));
      const image = 'public.ecr.aws/karpenter/controller:1.15.1';
      const pod = { containers: [{ name: 'controller', image, env, args }] };
      return judge(rule, [deployment('karpenter', pod, { replicas: 2 })]).findings.map(
        ({ severity, remedy }) => `${severity}: ${remedy}`,
      );
    };
    const CLUSTER_NAME = { CLUSTER_NAME: 'prod' };

    test.each<[Record<string, string>, string]>([
      [{ BATCH_MAX_DURATION: '30' }, 'warning: write 30s'],
      [{ RESERVED_ENIS: 'one' }, 'warning: write a whole number, such as 1'],
      [{ PREFERENCE_POLICY: 'ignore' }, 'undefined: write Ignore'],
      [{ LOG_LEVEL: 'warn' }, 'undefined: write debug, info or error'],
      [{ FEATURE_GATES: 'NodeRepair=false,NodeOverlays=true' }, 'warning: write NodeOverlay=true'],
      [{ FEATURE_GATES: 'NodeRepair' }, 'undefined: write NodeRepair=true or NodeRepair=false'],
      [{ CLUSTER_ENDPOINT: 'api.example.com' }, 'undefined: write https://api.example.com'],
      [{ INTERRUPTION_QUEUE_NAME: 'q' }, 'warning: write INTERRUPTION_QUEUE instead of INTERRUPTION_QUEUE_NAME'],
      [{ DISABLE_LEADER_ELECTION: 'true' }, 'undefined: remove DISABLE_LEADER_ELECTION'],
    ])('reports %j', (variables, remedy) => expect(of({ ...CLUSTER_NAME, ...variables })).toEqual([remedy]));

    test('reports a missing cluster name once', () => {
      expect(of({})).toEqual([expect.stringContaining('add the environment variable CLUSTER_NAME')]);
      expect(of({ AWS_CLUSTER_NAME: 'prod' })).toEqual(['error: write CLUSTER_NAME instead of AWS_CLUSTER_NAME']);
    });

    test('reports flags that Go refuses, and passes what Karpenter reads', () => {
      expect(of(CLUSTER_NAME, ['--batch-idle-duration=1'])).toEqual(['error: write 1s']);
      const fine = { BATCH_IDLE_DURATION: '2s', FEATURE_GATES: 'NodeRepair=true,Drift=true', AWS_REGION: 'eu-west-1' };
      expect(of({ ...CLUSTER_NAME, ...fine }, ['--reserved-enis=1'])).toEqual([]);
    });
  });

  test('passes keys that resemble no key of the chart, and charts before 1.0', () => {
    expect(judge(rule, [flux({ clusterName: 'prod', company: { costCentre: 1 } })]).states).toEqual([
      'pass HelmRelease/karpenter',
    ]);
    const early = flux({ clusterName: 'prod', aws: { clusterName: 'prod' } }).replace('1.15.1', '0.31.4');
    expect(judge(rule, [early]).states).toEqual(['pass HelmRelease/karpenter']);
  });

  test.each<[string, object]>([
    ['values', { Karpenter: openChart('karpenter') }],
    ['the name', withClusterName(get('Elsewhere', 'Name'))],
  ])('is not evaluated if %s are known only at deployment', (_, resources) =>
    expect(judgeStack(rule, resources).states).toEqual([`not-evaluated ${CHART}`]),
  );
});

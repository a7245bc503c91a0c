import { judge, judgeStack } from './helper';
import { chart, get, openChart } from './stack';
import { ControllerSettingsShape } from '../../../src/validation/rules/controller-settings-shape';

describe('KARP-115 controller-settings-shape', () => {
  const rule = new ControllerSettingsShape();
  const CHART = 'Custom::AWSCDK-EKS-HelmChart/Karpenter';
  const CLUSTER = { Type: 'AWS::EKS::Cluster', Properties: {} };
  const told = (clusterName: unknown, cluster: unknown = 'prod') => ({ Karpenter: chart({ settings: { clusterName } }, { cluster }), Cluster: CLUSTER });
  const flux = (settings: object) => JSON.stringify({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'karpenter', namespace: 'kube-system' },
    spec: { chart: { spec: { chart: 'karpenter', version: '1.15.1' } }, values: { settings } },
  });

  test.each<[string, object]>([
    ['the name of the cluster', told('prod')],
    ['a reference to it', told({ Ref: 'Cluster' }, { Ref: 'Cluster' })],
  ])('passes with %s', (_, resources) => expect(judgeStack(rule, resources).states).toEqual([`pass ${CHART}`]));

  test.each<[string, object, string, string]>([
    ['no cluster', { Karpenter: chart() }, 'settings.clusterName is not set: Helm refuses to install the chart', 'write settings.clusterName: prod'],
    ['another cluster', told('staging'), 'settings.clusterName is staging, and the chart is installed in cluster prod', 'write settings.clusterName: prod'],
    ['the name of a cluster that has one made up', told('prod', { Ref: 'Cluster' }), 'settings.clusterName is prod, and the chart is installed in cluster <name of ', 'write settings.clusterName: <name of '],
  ])('fails with %s', (_, resources, message, remedy) => {
    const [finding] = judgeStack(rule, resources).findings;
    expect(finding.message).toContain(message);
    expect(finding.remedy).toContain(remedy);
  });

  test('fails for a HelmRelease without a cluster, and takes any name in one as right', () => {
    expect(judge(rule, [flux({})]).findings.map(({ remedy }) => remedy)).toEqual(['write the name of the cluster: settings.clusterName']);
    expect(judge(rule, [flux({ clusterName: 'prod' })]).states).toEqual(['pass HelmRelease/karpenter']);
    expect(judge(rule, [flux({ clusterName: '${CLUSTER}' })]).states).toEqual(['pass HelmRelease/karpenter']);
  });

  test.each<[string, object, Array<[string, string]>]>([
    ['a misspelt setting', { featureGate: {} }, [['settings.featureGate', 'write settings.featureGates']]],
    ['a gate as the controller spells it', { featureGates: { SpotToSpotConsolidation: true } },
      [['settings.featureGates.SpotToSpotConsolidation', 'write settings.featureGates.spotToSpotConsolidation']]],
    ['settings as charts before 0.32 had them', { interruptionQueueName: 'q', aws: { clusterName: 'prod' } },
      [['settings.interruptionQueueName', 'write settings.interruptionQueue'], ['settings.aws', 'write what is below it in settings itself, by the names of today']]],
  ])('fails with %s, which nothing reads', (_, settings, expected) => {
    const { findings } = judge(rule, [flux({ clusterName: 'prod', ...settings })]);
    expect(findings.map(({ message, remedy }) => [message.split(' is no value')[0], remedy])).toEqual(expected);
  });

  test('says nothing of keys that are like none of the chart, and of charts before 1.0', () => {
    expect(judge(rule, [flux({ clusterName: 'prod', company: { costCentre: 1 } })]).states).toEqual(['pass HelmRelease/karpenter']);
    const early = flux({ clusterName: 'prod', aws: { clusterName: 'prod' } }).replace('1.15.1', '0.31.4');
    expect(judge(rule, [early]).states).toEqual(['pass HelmRelease/karpenter']);
  });

  test.each<[string, object]>([
    ['values', { Karpenter: openChart('karpenter') }],
    ['the name', told(get('Elsewhere', 'Name'))],
  ])('is not evaluated where %s are known only at deployment', (_, resources) => expect(judgeStack(rule, resources).states).toEqual([`not-evaluated ${CHART}`]));
});

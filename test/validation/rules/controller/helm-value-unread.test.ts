import { controllerSettingsShape } from '../../../../src/validation/rules/api/controller-settings/controller-settings-shape';
import { helmValueUnread } from '../../../../src/validation/rules/controller/helm-value-unread';
import { judge, judgeStack, nodePool } from '../judge';
import { chart } from '../stack';

const rule = helmValueUnread;
const unread = (values: object) =>
  judgeStack(rule, { Karpenter: chart(values) }).findings.map(({ evidence }) => [evidence.value, evidence.meant]);

describe('KARP-919 helm-value-unread', () => {
  test.each<[object, string, string]>([
    [{ featureGates: { spotToSpotConsolidation: true } }, 'featureGates', 'settings.featureGates'],
    [{ clusterName: 'prod' }, 'clusterName', 'settings.clusterName'],
    [{ resources: { requests: { cpu: 1 } } }, 'resources', 'controller.resources'],
    [{ controller: { nodeSelector: {} } }, 'controller.nodeSelector', 'nodeSelector'],
    [{ settings: { nodeRepair: true } }, 'settings.nodeRepair', 'settings.featureGates.nodeRepair'],
    [{ toleration: [] }, 'toleration', 'tolerations'],
  ])('reports %j', (values, written, meant) => {
    expect(unread(values)).toEqual([[written, meant]]);
  });

  test.each([
    [{ interruptionQueu: 'x' }, 'settings.interruptionQueue'],
    [{ featureGates: { SpotToSpotConsolidation: true } }, 'settings.featureGates.spotToSpotConsolidation'],
  ])('leaves %j, which is misspelt at its level, to KARP-115', (settings, meant) => {
    const values = { settings: { clusterName: 'prod', ...settings } };
    expect(unread(values)).toEqual([]);
    expect(judgeStack(controllerSettingsShape, { Karpenter: chart(values) }).findings).toMatchObject([
      { remedy: `write ${meant}` },
    ]);
  });

  test.each([
    {},
    { settings: { clusterName: 'prod', featureGates: { nodeRepair: true } }, replicas: 1 },
    { controller: { resources: {}, env: [{ name: 'SCHEDULER_CONFIG', value: '' }] } },
    { serviceAccount: { annotations: { anything: 'x' } }, webhook: { enabled: false } },
    { somethingOfAnotherRelease: true },
  ])('finds nothing in %j', (values) => {
    expect(unread(values)).toEqual([]);
  });

  test('says nothing about charts before 0.32, which have other keys', () => {
    const found = (version: string) =>
      judgeStack(rule, { Karpenter: chart({ clusterName: 'prod' }, { version }) }).findings.length;
    expect([found('0.16.3'), found('v0.31.0'), found('0.36.2')]).toEqual([0, 0, 1]);
  });

  test('advises to remove a key that is at the right level, too', () => {
    const values = { controller: { nodeSelector: { a: 'b' } }, nodeSelector: { a: 'b' } };
    expect(judgeStack(rule, { Karpenter: chart(values) }).findings[0].remedy).toBe(
      'remove it, because nodeSelector is there already',
    );
  });

  test('advises to write a key that only the chart has, with its default', () => {
    const values = { controller: { interruptionQueue: 'prod' } };
    expect(judgeStack(rule, { Karpenter: chart(values) }).findings[0].remedy).toBe('write settings.interruptionQueue');
  });

  test('is at the key of a file of values', () => {
    const text = 'settings: {}\nfeatureGates:\n  nodeOverlay: true\n';
    const values = { settings: {}, featureGates: { nodeOverlay: true } };
    const { findings } = judge(rule, [nodePool('default')], {
      controllerValues: { file: 'values.yaml', values, text },
    });
    expect(findings.map(({ object, path }) => object.locate(path).line)).toEqual([2]);
  });
});

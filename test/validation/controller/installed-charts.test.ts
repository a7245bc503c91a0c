import { WrittenNodeGroup } from '../../../src/validation/manifest';
import { embeddedManifests } from '../../../src/validation/manifest/source/embedded-manifests';
import { Rule } from '../../../src/validation/rules';
import { controllerSettingsShape } from '../../../src/validation/rules/api/controller-settings/controller-settings-shape';
import { controllerOnManagedNodes } from '../../../src/validation/rules/controller/controller-on-managed-nodes';
import { agentTaintNotExpected } from '../../../src/validation/rules/instance-selection/agent-taint-not-expected';
import { startupTaintNeverRemoved } from '../../../src/validation/rules/instance-selection/startup-taint-never-removed';
import { queueShared } from '../../../src/validation/rules/interruption/queue/queue-shared';
import { judge, judgeFiles, manifest, nodeClass, nodePool } from '../rules/judge';

const KARPENTER = { settings: { clusterName: 'prod', interruptionQueue: 'prod-events' } };
const HANDLER = 'aws-node-termination-handler';
const QUEUE = { enableSqsTerminationDraining: true, queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/prod-events' };

const flux = (chart: string, values: object, spec: object = {}) =>
  manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', chart, { chart: { spec: { chart } }, values, ...spec });
const argo = (chart: string, helm: object) =>
  manifest('argoproj.io/v1alpha1', 'Application', chart, {
    source: { chart, repoURL: 'example.com/charts', targetRevision: '1.8.1', helm },
    destination: { namespace: 'kube-system' },
  });
const terraform = (chart: string, values: object) => ({
  path: `${chart}.tf`,
  text: `resource "helm_release" "this" {\n  name  = "${chart}"\n  chart = "${chart}"\n  values = [<<-EOT\n${JSON.stringify(values)}\nEOT\n  ]\n}\n`,
});
const found = (rule: Rule, documents: readonly string[]) =>
  judge(rule, documents).findings.map(({ object, path, severity }) => [object.kind, path, severity]);

describe('charts of Flux, Argo CD and Terraform', () => {
  const karpenter = flux('karpenter', KARPENTER);
  const queueParameters = [
    { name: 'enableSqsTerminationDraining', value: 'true' },
    { name: 'queueURL', value: QUEUE.queueURL },
  ];

  test.each<[string, string, unknown]>([
    ['Flux', flux(HANDLER, QUEUE), ['spec', 'values', 'queueURL']],
    [
      'an object of Argo CD',
      argo(HANDLER, { valuesObject: QUEUE }),
      ['spec', 'source', 'helm', 'valuesObject', 'queueURL'],
    ],
    [
      'parameters of Argo CD',
      argo(HANDLER, { parameters: queueParameters }),
      ['spec', 'source', 'helm', 'parameters', 1, 'value'],
    ],
  ])('reports a termination handler of %s that reads the queue of Karpenter', (_, handler, path) => {
    const { findings } = judge(queueShared, [karpenter, handler]);
    expect(findings).toMatchObject([
      { path, evidence: { karpenter: ['karpenter'], nodeTerminationHandler: [HANDLER] } },
    ]);
  });

  test('reports a termination handler of Terraform that reads the queue of Karpenter, not one with a queue of its own', () => {
    const judged = (values: object) =>
      judgeFiles(
        queueShared,
        [terraform('karpenter', KARPENTER), terraform(HANDLER, values)].flatMap((file) =>
          embeddedManifests(file, '.tf'),
        ),
      ).findings;
    expect(judged(QUEUE)).toMatchObject([{ object: { kind: 'helm_release' }, path: ['values', 'queueURL'] }]);
    expect(judged({ ...QUEUE, queueURL: `${QUEUE.queueURL}-2` })).toEqual([]);
  });

  test('expects the taint of a Cilium chart, unless its values switch the taint off or may do so', () => {
    const pathsWith = (...documents: string[]) =>
      judge(agentTaintNotExpected, [nodeClass(), nodePool('core'), ...documents]).findings.map(
        ({ evidence }) => evidence?.taint,
      );
    expect(pathsWith(flux('cilium', {}))).toEqual(['node.cilium.io/agent-not-ready']);
    expect(pathsWith(flux('cilium', { operator: { setNodeTaints: false } }))).toEqual([]);
    expect(pathsWith(flux('cilium', {}, { valuesFrom: [{ kind: 'ConfigMap', name: 'values' }] }))).toEqual([]);
  });

  test('reports a startup taint in another domain of its agent once, unless the chart names it', () => {
    const pool = JSON.parse(nodePool('core'));
    pool.spec.template.spec.startupTaints = [{ key: 'cilium.io/agent-not-ready', effect: 'NoExecute' }];
    const input = (values: object) => [nodeClass(), JSON.stringify(pool), flux('cilium', values)];
    expect(judge(startupTaintNeverRemoved, input({})).findings[0].evidence).toEqual({
      taint: 'cilium.io/agent-not-ready',
      meant: 'node.cilium.io/agent-not-ready',
      stuckPools: ['core'],
    });
    expect(found(agentTaintNotExpected, input({}))).toEqual([]);
    expect(found(startupTaintNeverRemoved, input({ agentNotReadyTaintKey: 'cilium.io/agent-not-ready' }))).toEqual([]);
  });
});

describe('Karpenter of a chart that selects nodes of its own NodePool', () => {
  const pool = JSON.parse(nodePool('core'));
  pool.spec.template.metadata = { labels: { tier: 'critical' } };
  const input = [
    nodeClass(),
    JSON.stringify(pool),
    flux('karpenter', { ...KARPENTER, nodeSelector: { tier: 'critical' } }),
  ];
  test('is a warning, an error if no node group has the label, and right if one has it', () => {
    const judged = (...nodeGroups: WrittenNodeGroup[]) =>
      judgeFiles(controllerOnManagedNodes, [{ path: 'a.yaml', text: input.join('\n---\n'), nodeGroups }]).findings.map(
        ({ path, severity }) => [path, severity],
      );
    const path = ['spec', 'values', 'nodeSelector'];
    expect(judged()).toEqual([[path, 'warning']]);
    expect(judged({ name: 'system', labels: {}, taints: [] })).toEqual([[path, undefined]]);
    expect(judged({ name: 'system', labels: { tier: 'critical' }, taints: [] })).toEqual([]);
  });
});

describe('the cluster that Karpenter works for', () => {
  const tags = { 'karpenter.sh/discovery': 'pay-prod' };
  const classOf = (role: string) =>
    nodeClass('default', { role, subnetSelectorTerms: [{ tags }], securityGroupSelectorTerms: [{ tags }] });
  const release = (name: string, interruptionQueue = 'pay-prod') =>
    flux('karpenter', { settings: { clusterName: name, interruptionQueue } });

  test('is compared with that of the node classes', () => {
    const [finding] = judge(controllerSettingsShape, [classOf('nodes-pay-prod'), release('pay-staging')]).findings;
    expect(finding).toMatchObject({
      path: ['spec', 'values', 'settings', 'clusterName'],
      evidence: { given: 'pay-staging', cluster: 'pay-prod' },
      fix: { edits: [{ operation: 'set', value: 'pay-prod' }] },
    });
    expect(judge(controllerSettingsShape, [classOf('nodes-pay-prod'), release('pay-prod')]).findings).toEqual([]);
  });

  test('is not judged by a tag that nothing else agrees with', () => {
    const inputs = [
      [classOf('nodes'), release('pay-staging')],
      [classOf('nodes-pay-staging'), release('pay-staging')],
      [classOf('nodes-pay-prod'), release('eks-pay-prod-1')],
    ];
    expect(inputs.flatMap((input) => judge(controllerSettingsShape, input).findings)).toEqual([]);
  });

  test('is reported at the parameter of Argo CD that replaces the right value', () => {
    const helm = {
      valuesObject: { settings: { clusterName: 'pay-prod' } },
      parameters: [{ name: 'settings.clusterName', value: 'pay-staging' }],
    };
    const { findings } = judge(controllerSettingsShape, [classOf('nodes'), argo('karpenter', helm)]);
    expect(findings).toMatchObject([{ path: ['spec', 'source', 'helm', 'parameters', 0, 'value'] }]);
  });
});

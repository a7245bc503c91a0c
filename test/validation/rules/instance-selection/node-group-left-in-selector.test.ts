import { nodeGroupLeftInSelector } from '../../../../src/validation/rules/instance-selection/node-group-left-in-selector';
import { deployment, judge, nodeClass, nodePool } from '../judge';

const rule = nodeGroupLeftInSelector;
const LABEL = 'eks.amazonaws.com/nodegroup';
const web = (group: string, namespace?: string) =>
  deployment('web', { nodeSelector: { [LABEL]: group } }, { namespace });
const groups = (...names: string[]) =>
  JSON.stringify({
    apiVersion: 'eksctl.io/v1alpha5',
    kind: 'ClusterConfig',
    metadata: { name: 'demo' },
    managedNodeGroups: names.map((name) => ({ name })),
  });
const severities = (...documents: string[]) =>
  judge(rule, [nodePool('default'), nodeClass(), ...documents]).findings.map(({ severity }) => severity);

describe('KARP-266 node-group-left-in-selector', () => {
  test('notes a node group that may be elsewhere, and warns of one that the input lacks', () => {
    expect(severities(web('workers'))).toEqual(['info']);
    expect(severities(web('workers'), groups('system'))).toEqual(['warning']);
  });

  test('warns if the pods are meant for a NodePool, by its label or its taint', () => {
    const pool = nodePool('web', { labels: { tier: 'web' }, taints: [{ key: 'team', effect: 'NoSchedule' }] });
    const pods = (fields: object) => deployment('web', fields);
    const judged = (fields: object) => judge(rule, [pool, nodeClass(), pods(fields)]).findings[0];
    const labelled = judged({ nodeSelector: { [LABEL]: 'workers', tier: 'web' } });
    expect(labelled.severity).toBe('warning');
    expect(labelled.message).toContain('although the pods are meant for NodePool web by tier: web');
    const tolerating = judged({ nodeSelector: { [LABEL]: 'a' }, tolerations: [{ key: 'team', operator: 'Exists' }] });
    expect(tolerating.message).toContain('by their toleration of team');
  });

  test('notes a node group in a required node affinity, and removes what is left empty', () => {
    const affinity = (...keys: string[]) => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: keys.map((key) => ({ key, operator: 'In', values: ['workers'] })) },
            ],
          },
        },
      },
    });
    const lengths = [affinity(LABEL), affinity('kubernetes.io/arch', LABEL)].map(
      (fields) =>
        judge(rule, [nodePool('default'), nodeClass(), deployment('web', fields)]).findings[0].fix?.edits[0].path
          .length,
    );
    expect(lengths).toEqual([6, 10]);
  });

  test('warns of the capacity type of managed node groups, with the label of Karpenter', () => {
    const [finding] = judge(rule, [
      nodePool('default'),
      nodeClass(),
      deployment('web', { nodeSelector: { 'eks.amazonaws.com/capacityType': 'SPOT' } }),
    ]).findings;
    expect(finding).toMatchObject({
      severity: 'warning',
      remedy: "write karpenter.sh/capacity-type: spot, Karpenter's label for it",
    });
    expect(finding.fix?.edits).toHaveLength(2);
  });

  test('says nothing about a node group of the input, an unknown one, or pods of the cluster itself', () => {
    expect(severities(web('workers'), groups('workers'))).toEqual([]);
    expect(severities(web('workers-2024'), groups('workers'))).toEqual([]);
    expect(severities(web('${GROUP}'))).toEqual([]);
    expect(severities(web('workers', 'kube-system'))).toEqual([]);
    expect(severities(deployment('web'))).toEqual([]);
  });
});

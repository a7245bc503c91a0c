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

  test('says nothing about a node group of the input, an unknown one, or pods of the cluster itself', () => {
    expect(severities(web('workers'), groups('workers'))).toEqual([]);
    expect(severities(web('workers-2024'), groups('workers'))).toEqual([]);
    expect(severities(web('${GROUP}'))).toEqual([]);
    expect(severities(web('workers', 'kube-system'))).toEqual([]);
    expect(severities(deployment('web'))).toEqual([]);
  });
});

import { Testing } from 'cdk8s';
import { NodePoolEditorRole } from '../../../src/nodes';

describe('NodePoolEditorRole', () => {
  test('lets a group edit NodePools, and only read EC2NodeClasses and nodes', () => {
    const chart = Testing.chart();
    const role = new NodePoolEditorRole(chart, 'Editors', { groups: ['platform'] });
    const [clusterRole, binding] = Testing.synth(chart);
    const verbs = Object.fromEntries(
      clusterRole.rules.flatMap((rule: any) => rule.resources.map((resource: string) => [resource, rule.verbs])),
    );
    expect(verbs).toEqual({
      nodepools: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
      nodeclaims: ['get', 'list', 'watch'],
      nodeoverlays: ['get', 'list', 'watch'],
      ec2nodeclasses: ['get', 'list', 'watch'],
      nodes: ['get', 'list', 'watch'],
      events: ['get', 'list', 'watch'],
    });
    expect(binding).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'karpenter-nodepool-editor' },
      subjects: [{ kind: 'Group', name: 'platform' }],
    });
    expect(role.groups).toEqual(['platform']);
  });

  test('refuses an empty list of groups', () =>
    expect(() => new NodePoolEditorRole(Testing.chart(), 'Editors', { groups: [] })).toThrow(
      'NodePoolEditorRole.groups: must have at least one group, got none; write for example karpenter:nodepool-editors',
    ));
});

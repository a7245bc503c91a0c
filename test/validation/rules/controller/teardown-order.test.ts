import { teardownOrder } from '../../../../src/validation/rules/controller/teardown-order';
import { judgeStack, judgeStacks, nodePool } from '../judge';
import { applied, association, chart, CONTROLLER_SERVICE, role, statement } from '../stack';

const CHART = 'Custom::AWSCDK-EKS-HelmChart/Karpenter';
const poolResource = (dependsOn: string[] = []) => applied([JSON.parse(nodePool('default'))], { dependsOn });

describe('KARP-911 teardown-order', () => {
  const rule = teardownOrder;
  const identity = { Role: role(CONTROLLER_SERVICE, [statement('ec2:*')]), Identity: association('Role') };
  const POOL = 'Custom::AWSCDK-EKS-KubernetesResource/Pool';

  test('passes if NodePools are deleted before the chart, and the chart before its role', () => {
    const resources = {
      ...identity,
      Karpenter: chart({}, { dependsOn: ['Identity', 'Role'] }),
      Class: applied([], { dependsOn: ['Karpenter'] }),
      Pool: poolResource(['Class']),
    };
    expect(judgeStack(rule, resources).states).toEqual([`pass ${POOL}`, `pass ${CHART}`]);
  });

  test('fails if the chart may be deleted before a NodePool', () => {
    const { findings } = judgeStack(rule, { Karpenter: chart(), Pool: poolResource() });
    expect(findings[0].message).toContain('the finalizers of NodePool default and their nodes remain');
  });

  test('fails if the role may be deleted before the chart', () => {
    const { findings } = judgeStack(rule, { ...identity, Karpenter: chart({}, { dependsOn: ['Role'] }) });
    expect(findings[0].message).toContain('does not depend on Identity');
  });

  test('does not apply if no chart is in the templates', () => {
    expect(judgeStack(rule, { Pool: poolResource() }).outcomes).toEqual([]);
  });

  test('is not evaluated if the chart is in another template', () => {
    const { states, whys } = judgeStacks(rule, { Base: { Karpenter: chart() }, App: { Pool: poolResource() } });
    expect(states).toEqual([`not-evaluated ${POOL}`]);
    expect(whys).toEqual(['the chart of Karpenter is in another template']);
  });
});

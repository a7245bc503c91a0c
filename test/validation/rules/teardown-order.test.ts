import { judgeStack, judgeStacks, nodePool } from './helper';
import { applied, association, chart, CONTROLLER_SERVICE, role, statement } from './stack';
import { TeardownOrder } from '../../../src/validation/rules/teardown-order';

const CHART = 'Custom::AWSCDK-EKS-HelmChart/Karpenter';
const poolResource = (dependsOn: string[] = []) => applied([JSON.parse(nodePool('default'))], { dependsOn });

describe('KARP-911 teardown-order', () => {
  const rule = new TeardownOrder();
  const identity = { Role: role(CONTROLLER_SERVICE, [statement('ec2:*')]), Identity: association('Role') };
  const POOL = 'Custom::AWSCDK-EKS-KubernetesResource/Pool';

  test('passes where NodePools go first, then the chart, then its role', () => {
    const resources = { ...identity, Karpenter: chart({}, { dependsOn: ['Identity', 'Role'] }), Class: applied([], { dependsOn: ['Karpenter'] }), Pool: poolResource(['Class']) };
    expect(judgeStack(rule, resources).states).toEqual([`pass ${POOL}`, `pass ${CHART}`]);
  });

  test('fails where the chart may go before a NodePool', () => {
    const { findings } = judgeStack(rule, { Karpenter: chart(), Pool: poolResource() });
    expect(findings[0].message).toContain('the finalizers of NodePool default and of their nodes never clear');
  });

  test('fails where the role may go before the chart', () => {
    const { findings } = judgeStack(rule, { ...identity, Karpenter: chart({}, { dependsOn: ['Role'] }) });
    expect(findings[0].message).toContain('does not depend on Identity');
  });

  test('does not apply where no chart is in the templates', () => {
    expect(judgeStack(rule, { Pool: poolResource() }).outcomes).toEqual([]);
  });

  test('is not evaluated where the chart is in another template, whose order nobody knows', () => {
    const { states, whys } = judgeStacks(rule, { Base: { Karpenter: chart() }, App: { Pool: poolResource() } });
    expect(states).toEqual([`not-evaluated ${POOL}`]);
    expect(whys).toEqual(['the chart of Karpenter is in another template']);
  });
});

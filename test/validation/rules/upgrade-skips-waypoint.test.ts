import { contextOf, judge, judgeStack, nodePool } from './helper';
import { chart } from './stack';
import { CheckOptions } from '../../../src/validation/options';
import { UpgradeSkipsWaypoint } from '../../../src/validation/rules/upgrade-skips-waypoint';

const rule = new UpgradeSkipsWaypoint();

function running(version: string): object {
  const containers = [{ name: 'controller', image: `public.ecr.aws/karpenter/controller:${version}` }];
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'karpenter', namespace: 'kube-system' }, spec: { template: { spec: { containers } } } };
}

function definition(...storedVersions: string[]): object {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'nodepools.karpenter.sh' }, spec: { group: 'karpenter.sh' }, status: { storedVersions } };
}

function moving(to: string | undefined, ...objects: object[]): CheckOptions {
  return { karpenterVersion: to, cluster: objects.map((object, at) => ({ path: `cluster-${at}.yaml`, text: JSON.stringify(object) })) };
}

describe('KARP-910 upgrade-skips-waypoint', () => {
  test.each([['0.31.4', '0.32'], ['v0.37.6', '1.0'], ['0.36.2@sha256:abc', '1.0']])('fails from %s on to 1.14.0, past %s', (from, stop) => {
    const { findings } = judge(rule, [], moving('1.14.0', running(from)));
    expect(findings[0].evidence).toMatchObject({ to: '1.14.0', waypoint: stop });
  });

  test('fails towards the chart of a template, and points into the file of the cluster', () => {
    const { findings } = judgeStack(rule, { Karpenter: chart({}, { version: '1.12.0' }) }, [], moving(undefined, running('0.37.6')));
    expect(findings[0].message).toContain('the cluster runs Karpenter 0.37.6, which is to become 1.12.0 and skips 1.0');
    expect(findings[0].object.locate([]).file).toBe('cluster-0.yaml');
  });

  test('fails where objects may still be stored as v1beta1', () => {
    const { findings } = judge(rule, [], moving('1.1.0', running('1.0.8'), definition('v1beta1', 'v1')));
    expect(findings.map(({ object }) => object.kind)).toEqual(['CustomResourceDefinition']);
  });

  test.each<[string, CheckOptions]>([
    ['0.37 to 1.0', moving('1.0.0', running('0.37.6'), definition('v1beta1'))],
    ['1.0 to the newest', moving('1.15.1', running('1.0.8'), definition('v1'))],
    ['the first release of a waypoint on', moving('1.1.0', running('1.0.0'), definition('v1'))],
    ['a release whose older ReplicaSets are still listed', moving('1.15.1', running('1.0.8'), definition('v1'), { ...running('0.37.6'), kind: 'ReplicaSet' })],
    ['a release whose neighbours still store other objects as v1beta1',
      moving('1.15.1', running('1.0.8'), definition('v1'), { ...definition('v1beta1'), metadata: { name: 'widgets.example.com' }, spec: { group: 'example.com' } })],
  ])('passes from %s', (_, options) => {
    expect(judge(rule, [], options).states).toEqual(['pass Deployment/karpenter', 'pass CustomResourceDefinition/nodepools.karpenter.sh']);
  });

  test('knows what runs also where a manifest is about to replace it', () => {
    const next = JSON.stringify(running('1.14.0'));
    expect(rule.check(contextOf(next, moving(undefined, running('0.37.6')))).map(({ state }) => state)).toEqual(['fail']);
  });

  test('does not apply where nothing is known of the cluster, or of the version', () => {
    expect(judge(rule, [nodePool('default')], { karpenterVersion: '1.14.0' }).outcomes).toEqual([]);
    expect(judge(rule, [], moving(undefined, running('0.37.6'))).outcomes).toEqual([]);
  });

  test('is not evaluated where the version is known only at deployment', () => {
    expect(judgeStack(rule, { Karpenter: chart({}, { version: 'latest' }) }, [], moving(undefined, running('0.37.6'))).states).toEqual(['not-evaluated Deployment/karpenter']);
  });
});

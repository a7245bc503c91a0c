import { CheckOptions } from '../../../../src/validation/check-options';
import { upgradeSkipsWaypoint } from '../../../../src/validation/rules/controller/upgrade-skips-waypoint';
import { contextOf, judge, judgeStack, nodePool } from '../judge';
import { chart } from '../stack';

const rule = upgradeSkipsWaypoint;

function running(version: string): object {
  const containers = [{ name: 'controller', image: `public.ecr.aws/karpenter/controller:${version}` }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'karpenter', namespace: 'kube-system' },
    spec: { template: { spec: { containers } } },
  };
}

function definition(...storedVersions: string[]): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'nodepools.karpenter.sh' },
    spec: { group: 'karpenter.sh' },
    status: { storedVersions },
  };
}

function upgrading(to: string | undefined, ...objects: object[]): CheckOptions {
  return {
    karpenterVersion: to,
    cluster: objects.map((object, index) => ({ path: `cluster-${index}.yaml`, text: JSON.stringify(object) })),
  };
}

describe('KARP-910 upgrade-skips-waypoint', () => {
  test.each([
    ['0.31.4', '0.32'],
    ['v0.37.6', '1.0'],
    ['0.36.2@sha256:abc', '1.0'],
  ])('fails for an upgrade from %s to 1.14.0, which skips %s', (from, stop) => {
    const { findings } = judge(rule, [], upgrading('1.14.0', running(from)));
    expect(findings[0].evidence).toMatchObject({ to: '1.14.0', waypoint: stop });
  });

  test('fails for an upgrade to the chart of a template, and points at the cluster file', () => {
    const { findings } = judgeStack(
      rule,
      { Karpenter: chart({}, { version: '1.12.0' }) },
      [],
      upgrading(undefined, running('0.37.6')),
    );
    expect(findings[0].message).toContain('the upgrade from Karpenter 0.37.6 to 1.12.0 skips 1.0');
    expect(findings[0].object.locate([]).file).toBe('cluster-0.yaml');
  });

  test('fails if objects may still be stored as v1beta1', () => {
    const { findings } = judge(rule, [], upgrading('1.1.0', running('1.0.8'), definition('v1beta1', 'v1')));
    expect(findings.map(({ object }) => object.kind)).toEqual(['CustomResourceDefinition']);
  });

  test.each<[string, CheckOptions]>([
    ['from 0.37 to 1.0', upgrading('1.0.0', running('0.37.6'), definition('v1beta1'))],
    ['from 1.0 to the newest', upgrading('1.15.1', running('1.0.8'), definition('v1'))],
    ['from the first release of a waypoint', upgrading('1.1.0', running('1.0.0'), definition('v1'))],
    [
      'with ReplicaSets of older releases in the cluster',
      upgrading('1.15.1', running('1.0.8'), definition('v1'), { ...running('0.37.6'), kind: 'ReplicaSet' }),
    ],
    [
      'with CRDs of other groups that are stored as v1beta1',
      upgrading('1.15.1', running('1.0.8'), definition('v1'), {
        ...definition('v1beta1'),
        metadata: { name: 'widgets.example.com' },
        spec: { group: 'example.com' },
      }),
    ],
  ])('passes for an upgrade %s', (_, options) => {
    expect(judge(rule, [], options).states).toEqual([
      'pass Deployment/karpenter',
      'pass CustomResourceDefinition/nodepools.karpenter.sh',
    ]);
  });

  test('finds the running version if a manifest replaces its Deployment', () => {
    const next = JSON.stringify(running('1.14.0'));
    expect(rule.check(contextOf(next, upgrading(undefined, running('0.37.6')))).map(({ state }) => state)).toEqual([
      'fail',
    ]);
  });

  test('does not apply without a cluster, or without a version', () => {
    expect(judge(rule, [nodePool('default')], { karpenterVersion: '1.14.0' }).outcomes).toEqual([]);
    expect(judge(rule, [], upgrading(undefined, running('0.37.6'))).outcomes).toEqual([]);
  });

  test('is not evaluated if the version is known only at deployment', () => {
    expect(
      judgeStack(rule, { Karpenter: chart({}, { version: 'latest' }) }, [], upgrading(undefined, running('0.37.6')))
        .states,
    ).toEqual(['not-evaluated Deployment/karpenter']);
  });
});

import { Stack } from 'aws-cdk-lib';
import { OpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { newHandler, newStack } from './fixtures';
import { HandlerIdentity, HandlerMode, HandlerPlacement, NodeTerminationHandler } from '../../src/interruption';

describe('values of NodeTerminationHandler in queue mode', () => {
  test('run two pods with a PodDisruptionBudget, which handle the instances of this cluster', () => {
    const handler = newHandler();
    expect(Stack.of(handler).resolve(handler.helmValues)).toMatchObject({
      enableSqsTerminationDraining: true,
      queueURL: { Ref: expect.stringMatching(/^NTHQueue/) },
      awsRegion: 'eu-west-1',
      checkTagBeforeDraining: true,
      managedTag: 'kubernetes.io/cluster/shop',
      replicas: 2,
      podDisruptionBudget: { maxUnavailable: 1 },
      priorityClassName: 'system-cluster-critical',
      serviceAccount: { create: true, name: 'aws-node-termination-handler', annotations: {} },
    });
    expect(handler.chartRepository).toBe('oci://public.ecr.aws/aws-ec2/helm/aws-node-termination-handler');
  });

  test('omit keys that an older chart does not support', () => {
    const stack = newStack();
    const identity = HandlerIdentity.irsa(
      OpenIdConnectProvider.fromOpenIdConnectProviderArn(
        stack,
        'Provider',
        'arn:aws:iam::111122223333:oidc-provider/x',
      ),
    );
    const handler = newHandler({ mode: HandlerMode.queue({ identity }), chartVersion: '0.18.5' }, stack);
    expect(handler.helmValues).toMatchObject({ checkASGTagBeforeDraining: false, assumeAsgTagPropagation: true });
    expect(Object.keys(handler.helmValues)).not.toEqual(expect.arrayContaining(['managedTag']));
    expect(handler.chartRepository).toBe('https://aws.github.io/eks-charts');
  });

  test("never place pods on spot nodes or on Karpenter's nodes", () => {
    expect(requiredNodes(newHandler())).toEqual([
      { key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['spot'] },
      { key: 'eks.amazonaws.com/capacityType', operator: 'NotIn', values: ['SPOT'] },
      { key: 'node.kubernetes.io/lifecycle', operator: 'NotIn', values: ['spot'] },
      { key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' },
    ]);
  });

  test.each<[string, HandlerPlacement, unknown[]]>([
    ['on any on-demand node', HandlerPlacement.ON_DEMAND, []],
    [
      'on on-demand nodes with labels',
      HandlerPlacement.labels({ role: 'system' }),
      [{ key: 'role', operator: 'In', values: ['system'] }],
    ],
  ])('place pods %s', (_, placement, expressions) => {
    expect(requiredNodes(newHandler({ mode: HandlerMode.queue({ placement }) })).slice(3)).toEqual(expressions);
  });

  test('give precedence to the property helmValues, field by field', () => {
    expect(
      newHandler({ helmValues: { replicas: 3, podDisruptionBudget: { minAvailable: 2 }, logLevel: 'debug' } })
        .helmValues,
    ).toMatchObject({
      replicas: 3,
      podDisruptionBudget: { maxUnavailable: 1, minAvailable: 2 },
      logLevel: 'debug',
      awsRegion: 'eu-west-1',
    });
    expect(
      newHandler({ helmValues: { podDisruptionBudget: null, affinity: {}, tolerations: [{ key: 'team' }] } })
        .helmValues,
    ).toMatchObject({ podDisruptionBudget: null, tolerations: [{ key: 'team' }] });
  });

  test('copy the property helmValues', () => {
    const values = { nodeSelector: { team: 'a' }, tolerations: [{ key: 'team' }] };
    const handler = newHandler({ helmValues: values });
    values.nodeSelector.team = values.tolerations[0].key = 'b';
    expect(handler.helmValues).toMatchObject({ nodeSelector: { team: 'a' }, tolerations: [{ key: 'team' }] });
  });
});

function requiredNodes(handler: NodeTerminationHandler): unknown[] {
  return handler.helmValues.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]
    .matchExpressions;
}

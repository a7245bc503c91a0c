import { spotWithoutInterruptionQueue } from '../../../../../src/validation/rules/interruption/queue/spot-without-interruption-queue';
import { judge, judgeStack, nodeClass, nodePool, oneOf, renderedHandler } from '../../judge';
import { chart, handler, LISTENS, NOT_ON_KARPENTER, OPEN, openChart } from '../../stack';

describe('KARP-501 spot-without-interruption-queue', () => {
  const rule = spotWithoutInterruptionQueue;
  const spotPool = nodePool('spot', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] });
  const values = (interruptionQueue?: string) => ({
    controllerValues: { file: 'values.yaml', values: { settings: { interruptionQueue } } },
  });

  test('fails if a NodePool may launch spot and no queue is set', () => {
    const { states, findings } = judgeStack(rule, { Karpenter: chart({ settings: { clusterName: 'prod' } }) }, [
      nodeClass(),
      spotPool,
    ]);
    expect(states).toEqual(['fail Custom::AWSCDK-EKS-HelmChart/Karpenter']);
    expect(findings[0].message).toContain('1 NodePool may launch spot (spot)');
  });

  test('names the queue that other values of the release have', () => {
    const application = (helm: object) =>
      JSON.stringify({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: 'karpenter' },
        spec: {
          destination: { namespace: 'kube-system' },
          source: { repoURL: 'public.ecr.aws/karpenter', chart: 'karpenter', targetRevision: '1.8.1', helm },
        },
      });
    const remedy = (helm: object) => judge(rule, [nodeClass(), spotPool, application(helm)]).findings[0];
    const parameters = [{ name: 'settings.interruptionQueue', value: '' }];
    const valuesObject = { settings: { clusterName: 'demo', interruptionQueue: 'demo-queue' } };
    expect(remedy({ parameters, valuesObject })).toMatchObject({
      remedy: 'set settings.interruptionQueue to demo-queue, the queue of the input',
      fix: { edits: [{ value: 'demo-queue' }] },
    });
    expect(remedy({ parameters, values: 'settings:\n  interruptionQueue: q-1\n' }).remedy).toContain('to q-1,');
    for (const text of [
      'settings:\n  interruptionQueue:\n  clusterName: demo\n',
      'settings: { interruptionQueue: "" }',
    ])
      expect(remedy({ parameters, values: text }).remedy).toMatch(/^create an SQS queue/);
  });

  test('also fails on a rendered Deployment and on Helm values', () => {
    const env = [
      { name: 'KARPENTER_SERVICE', value: 'karpenter' },
      { name: 'CLUSTER_NAME', value: 'prod' },
    ];
    const pod = {
      template: {
        spec: { containers: [{ name: 'controller', image: 'public.ecr.aws/karpenter/controller:1.12.0', env }] },
      },
    };
    const deployment = JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'karpenter', namespace: 'kube-system' },
      spec: { replicas: 2, ...pod },
    });
    expect(judge(rule, [nodeClass(), spotPool, deployment]).states).toEqual(['fail Deployment/karpenter']);
    expect(judge(rule, [nodeClass(), spotPool], values()).states).toEqual(['fail Helm values/values.yaml']);
  });

  test.each([
    [
      'the variable',
      { env: [{ name: 'INTERRUPTION_QUEUE', valueFrom: { configMapKeyRef: { name: 'karpenter', key: 'queue' } } }] },
    ],
    ['all variables', { envFrom: [{ configMapRef: { name: 'karpenter' } }] }],
  ])('is not evaluated if a ConfigMap sets %s', (_, fields) => {
    const pod = {
      template: {
        spec: { containers: [{ name: 'controller', image: 'public.ecr.aws/karpenter/controller:1.12.0', ...fields }] },
      },
    };
    const deployment = JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'karpenter', namespace: 'kube-system' },
      spec: { replicas: 2, ...pod },
    });
    expect(judge(rule, [nodeClass(), spotPool, deployment]).states).toEqual(['not-evaluated Deployment/karpenter']);
  });

  test('passes if a queue is set', () => {
    expect(judgeStack(rule, LISTENS, [nodeClass(), spotPool]).states).toEqual([
      'pass Custom::AWSCDK-EKS-HelmChart/Karpenter',
    ]);
    expect(judge(rule, [nodeClass(), spotPool], values('interruptions')).states).toEqual([
      'pass Helm values/values.yaml',
    ]);
  });

  test.each<[string, object]>([
    ['in queue mode', { enableSqsTerminationDraining: true, managedTag: 'kubernetes.io/cluster/prod' }],
    ['in queue mode without a tag check', { enableSqsTerminationDraining: true, checkTagBeforeDraining: false }],
    ['in metadata mode', { enableSqsTerminationDraining: false }],
  ])('passes if AWS Node Termination Handler drains the nodes %s', (_, handlerValues) => {
    expect(
      judgeStack(rule, { Karpenter: chart(), Handler: handler(handlerValues) }, [nodeClass(), spotPool]).states[0],
    ).toMatch(/^pass /);
  });

  test.each<[string, object]>([
    ['it skips instances without its tag', { enableSqsTerminationDraining: true }],
    [
      'its chart ignores the old key of the tag check',
      { enableSqsTerminationDraining: true, checkASGTagBeforeDraining: false },
    ],
    ['it does not act on spot interruptions', { enableSpotInterruptionDraining: false }],
  ])('fails if AWS Node Termination Handler does not drain the nodes, because %s', (_, handlerValues) => {
    expect(
      judgeStack(rule, { Karpenter: chart(), Handler: handler(handlerValues) }, [nodeClass(), spotPool]).states[0],
    ).toMatch(/^fail /);
  });

  test('passes if the node class sets the tag of AWS Node Termination Handler', () => {
    const tagged = nodeClass('default', { tags: { 'aws-node-termination-handler/managed': 'true' } });
    expect(
      judgeStack(rule, { Karpenter: chart(), Handler: handler({ enableSqsTerminationDraining: true }) }, [
        tagged,
        spotPool,
      ]).states[0],
    ).toMatch(/^pass /);
  });

  test('fails if the affinity of AWS Node Termination Handler excludes the nodes', () => {
    expect(
      judgeStack(rule, { Karpenter: chart(), Handler: handler({ daemonsetAffinity: NOT_ON_KARPENTER }) }, [
        nodeClass(),
        spotPool,
      ]).states[0],
    ).toMatch(/^fail /);
  });

  test('passes if a rendered Deployment of AWS Node Termination Handler reads a queue', () => {
    const variables = { ENABLE_SQS_TERMINATION_DRAINING: 'true', CHECK_TAG_BEFORE_DRAINING: 'false' };
    expect(
      judgeStack(rule, { Karpenter: chart() }, [nodeClass(), spotPool, renderedHandler(variables)]).states[0],
    ).toMatch(/^pass /);
  });

  test('is not evaluated if the affinity or the values of AWS Node Termination Handler are known only at deployment', () => {
    for (const unknownHandler of [handler({ daemonsetAffinity: OPEN }), openChart('aws-node-termination-handler')]) {
      expect(
        judgeStack(rule, { Karpenter: chart(), Handler: unknownHandler }, [nodeClass(), spotPool]).whys[0],
      ).toContain('AWS Node Termination Handler may drain spot nodes');
    }
  });

  test('does not apply if no NodePool may launch spot, or if the input does not install Karpenter', () => {
    const onDemand = nodePool('on-demand', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] });
    expect(judgeStack(rule, { Karpenter: chart() }, [nodeClass(), onDemand]).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), spotPool]).outcomes).toEqual([]);
  });

  test('is not evaluated if the values of the chart are known only at deployment', () => {
    expect(judgeStack(rule, { Karpenter: openChart('karpenter') }, [nodeClass(), spotPool]).whys).toEqual([
      'its values are known only at deployment',
    ]);
  });

  test('does not fail if an environment variable of the chart sets the queue, or may set it', () => {
    const withVariable = chart({ controller: { env: [{ name: 'INTERRUPTION_QUEUE', value: 'prod' }] } });
    expect(
      judgeStack(rule, { Karpenter: withVariable }, [nodeClass(), spotPool]).states.map((state) => state.split(' ')[0]),
    ).not.toContain('fail');
    const withEnvFrom = chart({ controller: { envFrom: [{ secretRef: { name: 'karpenter' } }] } });
    expect(
      judgeStack(rule, { Karpenter: withEnvFrom }, [nodeClass(), spotPool]).states.map((state) => state.split(' ')[0]),
    ).not.toContain('fail');
  });
});

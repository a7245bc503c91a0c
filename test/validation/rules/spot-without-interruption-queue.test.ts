import { judge, judgeStack, nodeClass, nodePool, oneOf, renderedHandler } from './helper';
import { chart, handler, LISTENS, NOT_ON_KARPENTER, OPEN, openChart } from './stack';
import { SpotWithoutInterruptionQueue } from '../../../src/validation/rules/spot-without-interruption-queue';

describe('KARP-501 spot-without-interruption-queue', () => {
  const rule = new SpotWithoutInterruptionQueue();
  const spotPool = nodePool('spot', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] });
  const values = (interruptionQueue?: string) => ({ controllerValues: { file: 'values.yaml', values: { settings: { interruptionQueue } } } });

  test('fails where a NodePool may launch spot and no queue is set', () => {
    const { states, findings } = judgeStack(rule, { Karpenter: chart({ settings: { clusterName: 'prod' } }) }, [nodeClass(), spotPool]);
    expect(states).toEqual(['fail Custom::AWSCDK-EKS-HelmChart/Karpenter']);
    expect(findings[0].message).toContain('1 NodePool may launch spot (spot)');
  });

  test('fails as well on a Deployment that the chart has rendered, and on the values of the chart alone', () => {
    const env = [{ name: 'KARPENTER_SERVICE', value: 'karpenter' }, { name: 'CLUSTER_NAME', value: 'prod' }];
    const pod = { template: { spec: { containers: [{ name: 'controller', image: 'public.ecr.aws/karpenter/controller:1.12.0', env }] } } };
    const deployment = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'karpenter', namespace: 'kube-system' }, spec: { replicas: 2, ...pod } });
    expect(judge(rule, [nodeClass(), spotPool, deployment]).states).toEqual(['fail Deployment/karpenter']);
    expect(judge(rule, [nodeClass(), spotPool], values()).states).toEqual(['fail Helm values/values.yaml']);
  });

  test.each([
    ['a variable', { env: [{ name: 'INTERRUPTION_QUEUE', valueFrom: { configMapKeyRef: { name: 'karpenter', key: 'queue' } } }] }],
    ['all variables', { envFrom: [{ configMapRef: { name: 'karpenter' } }] }],
  ])('does not fail where a ConfigMap gives %s', (_, fields) => {
    const pod = { template: { spec: { containers: [{ name: 'controller', image: 'public.ecr.aws/karpenter/controller:1.12.0', ...fields }] } } };
    const deployment = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'karpenter', namespace: 'kube-system' }, spec: { replicas: 2, ...pod } });
    expect(judge(rule, [nodeClass(), spotPool, deployment]).states).toEqual(['not-evaluated Deployment/karpenter']);
  });

  test('passes where a queue is set', () => {
    expect(judgeStack(rule, LISTENS, [nodeClass(), spotPool]).states).toEqual(['pass Custom::AWSCDK-EKS-HelmChart/Karpenter']);
    expect(judge(rule, [nodeClass(), spotPool], values('interruptions')).states).toEqual(['pass Helm values/values.yaml']);
  });

  test.each<[string, object]>([
    ['by a queue', { enableSqsTerminationDraining: true, managedTag: 'kubernetes.io/cluster/prod' }],
    ['by a queue, whatever its tags', { enableSqsTerminationDraining: true, checkTagBeforeDraining: false }],
    ['by the metadata of each instance', { enableSqsTerminationDraining: false }],
  ])('passes where AWS Node Termination Handler drains the nodes, %s', (_, handlerValues) => {
    expect(judgeStack(rule, { Karpenter: chart(), Handler: handler(handlerValues) }, [nodeClass(), spotPool]).states[0]).toMatch(/^pass /);
  });

  test.each<[string, object]>([
    ['it passes over instances without its tag', { enableSqsTerminationDraining: true }],
    ['its key for the tag of groups is not read any more', { enableSqsTerminationDraining: true, checkASGTagBeforeDraining: false }],
    ['it does not act on spot interruptions', { enableSpotInterruptionDraining: false }],
  ])('fails where AWS Node Termination Handler leaves them alone: %s', (_, handlerValues) => {
    expect(judgeStack(rule, { Karpenter: chart(), Handler: handler(handlerValues) }, [nodeClass(), spotPool]).states[0]).toMatch(/^fail /);
  });

  test('passes where the node class gives instances the tag of AWS Node Termination Handler', () => {
    const tagged = nodeClass('default', { tags: { 'aws-node-termination-handler/managed': 'true' } });
    expect(judgeStack(rule, { Karpenter: chart(), Handler: handler({ enableSqsTerminationDraining: true }) }, [tagged, spotPool]).states[0]).toMatch(/^pass /);
  });

  test('fails where AWS Node Termination Handler does not run on the nodes, by its affinity', () => {
    expect(judgeStack(rule, { Karpenter: chart(), Handler: handler({ daemonsetAffinity: NOT_ON_KARPENTER }) }, [nodeClass(), spotPool]).states[0]).toMatch(/^fail /);
  });

  test('passes where a Deployment of AWS Node Termination Handler that the chart has rendered reads a queue', () => {
    const variables = { ENABLE_SQS_TERMINATION_DRAINING: 'true', CHECK_TAG_BEFORE_DRAINING: 'false' };
    expect(judgeStack(rule, { Karpenter: chart() }, [nodeClass(), spotPool, renderedHandler(variables)]).states[0]).toMatch(/^pass /);
  });

  test('is not evaluated where the affinity of AWS Node Termination Handler, or its values, are known only at deployment', () => {
    const placed = handler({ daemonsetAffinity: OPEN });
    for (const each of [placed, openChart('aws-node-termination-handler')]) {
      expect(judgeStack(rule, { Karpenter: chart(), Handler: each }, [nodeClass(), spotPool]).whys[0]).toContain('AWS Node Termination Handler may drain them');
    }
  });

  test('does not apply where no NodePool may launch spot, or nothing is known of Karpenter', () => {
    const onDemand = nodePool('on-demand', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] });
    expect(judgeStack(rule, { Karpenter: chart() }, [nodeClass(), onDemand]).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), spotPool]).outcomes).toEqual([]);
  });

  test('is not evaluated where the values of the chart are known only at deployment', () => {
    expect(judgeStack(rule, { Karpenter: openChart('karpenter') }, [nodeClass(), spotPool]).whys).toEqual(['its values are known only at deployment']);
  });

  test('takes a queue that the controller is told by a variable, and is not evaluated where it may be', () => {
    const told = chart({ controller: { env: [{ name: 'INTERRUPTION_QUEUE', value: 'prod' }] } });
    expect(judgeStack(rule, { Karpenter: told }, [nodeClass(), spotPool]).states.map((state) => state.split(' ')[0])).not.toContain('fail');
    const open = chart({ controller: { envFrom: [{ secretRef: { name: 'karpenter' } }] } });
    expect(judgeStack(rule, { Karpenter: open }, [nodeClass(), spotPool]).states.map((state) => state.split(' ')[0])).not.toContain('fail');
  });
});

import { parseResourceList } from '../../../src/model';
import { PodShape, smallestChanges } from '../../../src/scheduling';
import { CATALOG, input, InputFields, isIn, ofTypes, pods, pool } from '../builders';

const ZONE = 'topology.kubernetes.io/zone';
const FAMILY = 'karpenter.k8s.aws/instance-family';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const GPU_TAINT = { key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' as const };
const SMALL = { cpu: '100m', memory: '64Mi' };

function description(fields: InputFields): string | undefined {
  return smallestChanges(input(fields), CATALOG).get(fields.pods.length - 1)?.description;
}

function one(more: Partial<PodShape> = {}, requests: Record<string, string> = SMALL, count = 1) {
  return pods('web', count, requests, { labels: { app: 'web' }, ...more });
}

const general = (limits = parseResourceList({ cpu: 1 })) => pool([ofTypes('m5.large')], { limits });
const gpu = () => pool([isIn(FAMILY, 'g5')], { name: 'gpu', taints: [GPU_TAINT] });

describe('a taint', () => {
  test('is not tolerated by a pod that requests no device, also if it selects what every pool has', () => {
    const onDemand = { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } };
    expect(description({ pools: [general(), gpu()], pods: [one(onDemand)] })).toBe(
      'raise limits.cpu of NodePool default from 1 to 2',
    );
    const full = pool([ofTypes('m5.large')], { limits: new Map([['cpu', 0n]]) });
    expect(description({ pools: [full, gpu()], pods: [one(onDemand)] })).not.toMatch(/tolerate/);
  });

  test('is tolerated by a pod that requests the device', () => {
    expect(description({ pools: [general(), gpu()], pods: [one({}, { cpu: '1', 'nvidia.com/gpu': '1' })] })).toBe(
      'tolerate nvidia.com/gpu=true:NoSchedule',
    );
  });

  test('is tolerated by a pod that only this pool can serve', () => {
    const arm = pool([isIn(FAMILY, 'm7g')], { name: 'arm', taints: [{ key: 'arch', effect: 'NoSchedule' }] });
    const pools = [pool([ofTypes('m5.large'), isIn('kubernetes.io/arch', 'amd64')]), arm];
    const onArm = { nodeSelector: { 'kubernetes.io/arch': 'arm64' } };
    expect(description({ pools, pods: [one(onArm)] })).toBe('tolerate arch:NoSchedule');
  });

  test('is tolerated by a pod whose toleration is misspelt', () => {
    const batch = pool([], { name: 'batch', taints: [{ key: 'team', value: 'batch', effect: 'NoSchedule' }] });
    const tolerations = [{ key: 'team', operator: 'Equal', value: 'bacth', effect: 'NoSchedule' }];
    expect(description({ pools: [general(new Map([['nodes', 0n]])), batch], pods: [one({ tolerations })] })).toBe(
      'tolerate team=batch:NoSchedule instead of team=bacth:NoSchedule',
    );
  });

  test('of another team is not tolerated by a pod that tolerates its own', () => {
    const team = (name: string) => ({ key: 'team', value: name, effect: 'NoSchedule' as const });
    const pools = ['a', 'b'].map((name) =>
      pool([], { name, taints: [team(name)], limits: name === 'a' ? new Map([['nodes', 0n]]) : new Map() }),
    );
    const tolerations = [{ ...team('a'), operator: 'Equal' }];
    expect(description({ pools, pods: [one({ tolerations })] })).toBe('raise limits.nodes of NodePool a from 0 to 1');
  });
});

describe('a request', () => {
  test('gets the name of the device that was meant', () => {
    const neuron = pool([isIn(FAMILY, 'inf2')]);
    expect(description({ pools: [neuron], pods: [one({}, { cpu: '1', 'aws.amazon.com/neurondevice': '1' })] })).toBe(
      'request aws.amazon.com/neuron instead of aws.amazon.com/neurondevice',
    );
    for (const [family, name, meant] of [
      ['g5', 'nvidia.com/gpus', 'nvidia.com/gpu'],
      ['g5', 'alpha.kubernetes.io/nvidia-gpu', 'nvidia.com/gpu'],
      ['g5', 'aws.amazon.com/gpu', 'nvidia.com/gpu'],
      ['inf2', 'aws.amazon.com/inferentia', 'aws.amazon.com/neuron'],
      ['trn1', 'aws.amazon.com/trainium', 'aws.amazon.com/neuron'],
    ])
      expect(description({ pools: [pool([isIn(FAMILY, family)])], pods: [one({}, { cpu: '1', [name]: '1' })] })).toBe(
        `request ${meant} instead of ${name}`,
      );
  });

  test('keeps a name that a device plugin gives shared devices', () => {
    for (const name of ['nvidia.com/gpu.shared', 'k8s.amazonaws.com/vgpu'])
      expect(description({ pools: [pool([isIn(FAMILY, 'g5')])], pods: [one({}, { [name]: '1' })] })).toBeUndefined();
  });

  test('gets the unit that was meant', () => {
    expect(description({ pools: [pool([ofTypes('m5.large')])], pods: [one({}, { cpu: '500', memory: '1Gi' })] })).toBe(
      'request 500m of cpu instead of 500',
    );
    expect(description({ pools: [pool([ofTypes('m5.xlarge')])], pods: [one({}, { cpu: '2147483648100m' })] })).toBe(
      'request 2100m of cpu instead of 2147483648100m',
    );
    expect(description({ pools: [pool([ofTypes('m5.large')])], pods: [one({}, { memory: '4000Gi' })] })).toBe(
      'request 4000Mi of memory instead of 4000Gi',
    );
  });
});

describe('a label', () => {
  test('of the user is not changed to the one of another team', () => {
    const pools = ['a', 'b'].map((name) => pool([], { name, labels: { team: name } }));
    expect(description({ pools, pods: [one({ nodeSelector: { team: 'checkout' } })] })).toBeUndefined();
  });

  test('of the user is corrected', () => {
    const pools = [pool([], { labels: { team: 'checkout' } })];
    expect(description({ pools, pods: [one({ nodeSelector: { team: 'chekcout' } })] })).toBe(
      'select nodes with team checkout instead of chekcout',
    );
  });

  test('with a value in wrong case is corrected', () => {
    expect(description({ pools: [pool([])], pods: [one({ nodeSelector: { [FAMILY]: 'M5' } })] })).toBe(
      'select nodes with instance family m5 instead of M5',
    );
  });

  test('with a zone that does not exist gets all zones of the pool, because none of them is known to be meant', () => {
    const pools = [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')])];
    expect(description({ pools, pods: [one({ nodeSelector: { [ZONE]: 'us-east-1z' } })] })).toBe(
      'select nodes with zone us-east-1a or us-east-1b instead of us-east-1z',
    );
  });
});

describe('a node selector', () => {
  test('by a label whose value a similar label of the pool has is meant for that label', () => {
    const labelled = pool([ofTypes('m5.large')], { labels: { 'workload-type': 'general' } });
    const select = (nodeSelector: Record<string, string>) =>
      description({ pools: [labelled], pods: [one({ nodeSelector })] });
    expect(select({ workload: 'general' })).toBe('select nodes by workload-type instead of workload');
    expect(select({ workload: 'batch' })).toBe('add the label workload=batch to the nodes of NodePool default');
    expect(select({ squad: 'general' })).toBe('add the label squad=general to the nodes of NodePool default');
  });

  test('gets its label on the pool whose taint the pod tolerates', () => {
    const taint = { key: 'tier', value: 'data', effect: 'NoSchedule' as const };
    const pools = [pool([]), pool([], { name: 'data', taints: [taint] })];
    const pod = one({ nodeSelector: { tier: 'data' }, tolerations: [{ ...taint, operator: 'Equal' }] });
    expect(description({ pools, pods: [pod] })).toBe('add the label tier=data to the nodes of NodePool data');
  });
});

describe('a topology key', () => {
  const selector = { labelSelector: { matchLabels: { app: 'web' } } };

  test('that is misspelt is corrected, and the spread is kept', () => {
    const spread = { topologyKey: `${ZONE}s`, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const, ...selector };
    expect(description({ pools: [pool([])], pods: [one({ topologySpread: [spread] })] })).toBe(
      `write ${ZONE} instead of ${ZONE}s in the topology spread`,
    );
  });

  test('has all domains that other pools have, if the pods need them', () => {
    const spread = { topologyKey: 'lane', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const, ...selector };
    const pools = [
      pool([ofTypes('m5.large'), isIn('lane', '1')], { name: 'a', labels: { team: 'a' } }),
      pool([ofTypes('m5.large'), isIn('lane', '2', '3')], { name: 'b', labels: { team: 'b' } }),
    ];
    const web = one({ topologySpread: [spread], nodeSelector: { team: 'a' } }, SMALL, 3);
    expect(description({ pools, pods: [web] })).toBe('allow lane 2 and 3 in NodePool a');
  });
});

describe('a static pool', () => {
  test('gets more replicas, because no limit makes it launch nodes for pods', () => {
    const fixed = pool([ofTypes('m5.large')], { name: 'gate', replicas: 2, limits: new Map([['nodes', 5n]]) });
    expect(description({ pools: [fixed], pods: [one({}, { cpu: '1500m' }, 5)] })).toBe(
      'raise replicas of NodePool gate from 2 to 5',
    );
  });
});

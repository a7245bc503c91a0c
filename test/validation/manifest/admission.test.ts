import { CONTAINER, onlyWorkload, pod, read } from './manifests';
import { formatAmount } from '../../../src/model';

function requests(text: string): Record<string, string> {
  return Object.fromEntries(
    [...onlyWorkload(text).shape!.requests].map(([name, amount]) => [name, formatAmount(name, amount)]),
  );
}

const limitRange = (limits: string, namespace = 'default') =>
  `apiVersion: v1\nkind: LimitRange\nmetadata: { name: defaults, namespace: ${namespace} }\nspec: { limits: [${limits}] }\n---\n`;

describe('LimitRange', () => {
  test.each([
    ['sets the default requests', '{ type: Container, defaultRequest: { cpu: 200m } }', {}, { cpu: '200m' }],
    ['uses the default limits as requests', '{ type: Container, default: { memory: 1Gi } }', {}, { memory: '1Gi' }],
    ['uses the maximum as default limit', '{ type: Container, max: { cpu: 2 } }', {}, { cpu: '2' }],
    ['uses the minimum as default request', '{ type: Container, min: { cpu: 50m } }', {}, { cpu: '50m' }],
    [
      'keeps the requests that a container sets',
      '{ type: Container, defaultRequest: { cpu: 200m, memory: 64Mi } }',
      { cpu: '1' },
      { cpu: '1', memory: '64Mi' },
    ],
    ['does nothing to containers if its type is Pod', '{ type: Pod, max: { cpu: 2 } }', {}, {}],
  ])('%s', (_, limits, containerRequests, expected) => {
    const container = `  containers: [{ name: main, resources: { requests: ${JSON.stringify(containerRequests)} } }]\n`;
    expect(requests(limitRange(limits) + pod(container))).toEqual(expected);
  });

  test('does nothing in other namespaces', () => {
    expect(requests(limitRange('{ type: Container, defaultRequest: { cpu: 200m } }', 'shop') + pod(CONTAINER))).toEqual(
      {},
    );
  });
});

describe('a container outside of a LimitRange', () => {
  const range = '{ type: Container, min: { cpu: 100m }, max: { cpu: 2 }, default: { memory: 1Gi } }';
  const problemsOf = (resources: object) =>
    read(
      limitRange(range) + pod(`  containers: [{ name: main, resources: ${JSON.stringify(resources)} }]\n`),
    ).problems.map(({ message, remedy }) => `${message}; ${remedy}`);

  test.each([
    [
      'a request above the maximum',
      { requests: { cpu: '4' } },
      'spec.containers[0].resources.requests.cpu: must be at most 2, the max of LimitRange default/defaults, got "4"; ' +
        'raise max.cpu of LimitRange default/defaults to 4, or ask for less',
    ],
    [
      'a limit above the maximum',
      { requests: { cpu: '1' }, limits: { cpu: '3' } },
      'spec.containers[0].resources.limits.cpu: must be at most 2, the max of LimitRange default/defaults, got "3"; ' +
        'raise max.cpu of LimitRange default/defaults to 3, or ask for less',
    ],
    [
      'a request below the minimum',
      { requests: { cpu: '50m' } },
      'spec.containers[0].resources.requests.cpu: must be at least 100m, the min of LimitRange default/defaults, got "50m"; ' +
        'lower min.cpu of LimitRange default/defaults to 50m, or ask for more',
    ],
    [
      'a request above the default limit',
      { requests: { memory: '2Gi' } },
      'spec.containers[0].resources.requests.memory: must be at most 1Gi, the limit that LimitRange default/defaults gives a container without one, got "2Gi"; ' +
        'write limits.memory: 2Gi in the container, or raise the default of the LimitRange',
    ],
  ])('is refused for %s', (_, resources, expected) => {
    expect(problemsOf(resources)).toEqual([expected]);
  });

  test('is accepted at the bounds, and with a limit of its own above the default', () => {
    expect(problemsOf({ requests: { cpu: '100m', memory: '2Gi' }, limits: { cpu: '2', memory: '2Gi' } })).toEqual([]);
  });
});

describe('RuntimeClass', () => {
  const kata =
    'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: kata }\nhandler: kata\noverhead: { podFixed: { cpu: 250m, memory: 120Mi } }\n' +
    'scheduling: { nodeSelector: { katacontainers.io/runtime: "true" }, tolerations: [{ key: kata, operator: Exists }] }\n---\n';

  test('adds its overhead, node selector and tolerations to the pod', () => {
    const { shape } = onlyWorkload(kata + pod(`  runtimeClassName: kata\n  nodeSelector: { team: a }\n${CONTAINER}`));
    expect(shape!.requests).toEqual(
      new Map([
        ['cpu', 250n],
        ['memory', 120_000n * 2n ** 20n],
      ]),
    );
    expect(shape!.nodeSelector).toEqual({ 'katacontainers.io/runtime': 'true', team: 'a' });
    expect(shape!.tolerations).toMatchObject([{ key: 'kata', operator: 'Exists' }]);
  });

  test('makes its pods not evaluated if it is not in the input', () => {
    expect(onlyWorkload(pod(`  runtimeClassName: kata\n${CONTAINER}`)).shape!.notEvaluated).toEqual([
      'RuntimeClass kata, which is not in the input',
    ]);
  });
});

describe('host ports', () => {
  test.each([
    ['[{ containerPort: 80, hostPort: 8080 }]', false, [{ ip: '0.0.0.0', port: 8080, protocol: 'TCP' }]],
    [
      '[{ containerPort: 80, hostPort: 53, protocol: UDP, hostIP: 10.0.0.1 }]',
      false,
      [{ ip: '10.0.0.1', port: 53, protocol: 'UDP' }],
    ],
    ['[{ containerPort: 80, hostPort: 80, hostIP: "0:0::1" }]', false, [{ ip: '::1', port: 80, protocol: 'TCP' }]],
    ['[{ containerPort: 80 }]', true, [{ ip: '0.0.0.0', port: 80, protocol: 'TCP' }]],
    ['[{ containerPort: 80 }]', false, []],
  ])('reads ports %s with hostNetwork %s', (ports, hostNetwork, expected) => {
    expect(
      onlyWorkload(pod(`  hostNetwork: ${hostNetwork}\n  containers: [{ name: main, ports: ${ports} }]\n`)).shape!
        .hostPorts,
    ).toEqual(expected);
  });

  test('ignores the ports of init containers', () => {
    expect(
      onlyWorkload(pod(`${CONTAINER}  initContainers: [{ name: i, ports: [{ containerPort: 80, hostPort: 80 }] }]\n`))
        .shape!.hostPorts,
    ).toEqual([]);
  });
});

describe('a queue of Kueue', () => {
  const kueue = (kind: string, name: string, spec: object) =>
    `${JSON.stringify({ apiVersion: 'kueue.x-k8s.io/v1beta1', kind, metadata: { name, namespace: 'ml' }, spec })}\n---\n`;
  const flavor = (name: string, spec: object) => kueue('ResourceFlavor', name, spec);
  const queue = (...flavors: string[]) =>
    kueue('LocalQueue', 'queue', { clusterQueue: 'all' }) +
    kueue('ClusterQueue', 'all', { resourceGroups: [{ flavors: flavors.map((name) => ({ name })) }] });
  const pool = `${JSON.stringify({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'gpu' }, spec: {} })}\n---\n`;
  const job = (fields: object = {}) => {
    const metadata = { name: 'train', namespace: 'ml', labels: { 'kueue.x-k8s.io/queue-name': 'queue' } };
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a' }], ...fields } };
    return JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { suspend: true, template } });
  };
  const tolerations = [{ key: 'nvidia.com/gpu', operator: 'Exists' }];
  const gpu = { nodeLabels: { 'karpenter.sh/nodepool': 'gpu' }, tolerations };

  test('resumes a suspended Job, and gives its pods the labels and tolerations of the only flavor', () => {
    const { replicas, shape } = onlyWorkload(pool + flavor('gpu', gpu) + queue('gpu') + job());
    expect(replicas).toBe(1);
    expect(shape!.nodeSelector).toEqual({ 'karpenter.sh/nodepool': 'gpu' });
    expect(shape!.tolerations).toContainEqual(expect.objectContaining(tolerations[0]));
  });

  test('gives pods the tolerations of several flavors, and no labels', () => {
    const flavors = flavor('gpu', gpu) + flavor('cpu', { nodeLabels: { 'karpenter.sh/nodepool': 'cpu' } });
    const { shape } = onlyWorkload(pool + flavors + queue('gpu', 'cpu') + job());
    expect([shape!.nodeSelector, shape!.tolerations.length]).toEqual([{}, 1]);
    // The pods exclude one of them.
    const selecting = job({ nodeSelector: { 'karpenter.sh/nodepool': 'cpu' } });
    expect(onlyWorkload(pool + flavors + queue('gpu', 'cpu') + selecting).shape!.tolerations).toEqual([]);
  });

  test('leaves out labels that no NodePool gives its nodes, which KARP-260 reports', () => {
    const other = { ...gpu, nodeLabels: { 'karpenter.sh/nodepool': 'gpus' } };
    expect(onlyWorkload(pool + flavor('gpu', other) + queue('gpu') + job()).shape!.nodeSelector).toEqual({});
  });
});

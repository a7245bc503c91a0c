import { CONTAINER, onlyWorkload, pod } from './manifests';
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

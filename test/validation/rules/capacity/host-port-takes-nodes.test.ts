import { hostPortTakesNodes } from '../../../../src/validation/rules/capacity/host-port-takes-nodes';
import { deployment, judge, nodeClass, nodePool } from '../judge';

const rule = hostPortTakesNodes;
const POOL = [nodeClass(), nodePool('default')];
const web = (ports: object[], replicas: number, pod: object = {}) =>
  deployment(
    'web',
    { containers: [{ name: 'web', resources: { requests: { cpu: '100m' } }, ports }], ...pod },
    { replicas },
  );

describe('KARP-330 host-port-takes-nodes', () => {
  test('reports a port of the node that spreads the pods over as many nodes', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 8080, hostPort: 8080 }];
    expect(judge(rule, [...POOL, web(ports, 4)]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'containers', 0, 'ports', 1, 'hostPort'],
        message:
          'takes port 8080 of the node, which one pod of a node can have: its 4 pods are spread over 4 nodes, and each further replica needs one more',
        evidence: { hostPort: 8080, pods: 4, nodes: 4 },
      },
    ]);
  });

  test('notes an entrance to the cluster, which is often meant to be on each node', () => {
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const ingress = { containers: [{ name: 'main', image: 'registry.example/ingress-nginx:1', ports }] };
    expect(judge(rule, [...POOL, web([], 3, ingress)]).findings).toMatchObject([{ severity: 'info' }]);
  });

  test.each<[string, object[], number, object]>([
    ['few pods', [{ containerPort: 80, hostPort: 80 }], 2, {}],
    ['ports of the pod', [{ containerPort: 80 }], 4, {}],
    ['the network of the host', [{ containerPort: 80, hostPort: 80 }], 4, { hostNetwork: true }],
  ])('does not apply to %s', (_, ports, replicas, pod) => {
    expect(judge(rule, [...POOL, web(ports, replicas, pod)]).outcomes).toEqual([]);
  });
});

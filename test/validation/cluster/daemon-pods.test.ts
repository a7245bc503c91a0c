import { dump, node, object, Plain, pod } from './dump';
import { check, Verdict } from '../../../src/validation';
import { manifests, NODE_CLASS, nodePool } from '../setup';

const PORT = { containerPort: 9100 };
const spec = (ports: Plain[], cpu = '100m') => ({
  hostNetwork: true,
  containers: [{ name: 'main', image: 'a', ports, resources: { requests: { cpu, memory: '64Mi' } } }],
});
const AGENT = object(
  'apps/v1',
  'DaemonSet',
  'agent',
  {
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: { metadata: { labels: { app: 'agent' } }, spec: spec([PORT]) },
    },
  },
  'default',
);
const AGENT_TEXT = `${JSON.stringify(AGENT)}\n`;
/** A pod of the DaemonSet as the API server has defaulted it. */
const agentPod = (name: string, more: Plain = {}): Plain => ({
  ...pod(name, { on: 'n1', owner: ['DaemonSet', 'agent'] }),
  spec: { nodeName: 'n1', ...spec([{ ...PORT, hostPort: 9100 }]), ...more },
});
const CLIENT = `${JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'client' },
  spec: {
    containers: [
      {
        name: 'main',
        image: 'a',
        ports: [{ containerPort: 80, hostPort: 9100 }],
        resources: { requests: { cpu: '3', memory: '64Mi' } },
      },
    ],
  },
})}\n`;

function verdict(manifestTexts: readonly string[], ...items: Plain[]): Verdict {
  return check(manifests(nodePool(['m5.4xlarge']), NODE_CLASS, CLIENT, ...manifestTexts), { cluster: dump(...items) });
}

describe('host ports of a DaemonSet with hostNetwork', () => {
  test('keep no pod away on a fresh cluster: Karpenter plans with the template, which has no host port', () => {
    expect(verdict([], AGENT).unschedulable).toEqual([]);
    expect(check(manifests(nodePool(['m5.4xlarge']), NODE_CLASS, CLIENT, AGENT_TEXT)).unschedulable).toEqual([]);
  });

  test('keep pods away once a pod of the DaemonSet runs', () => {
    for (const result of [
      verdict([], AGENT, node('n1'), agentPod('agent-1')),
      verdict([AGENT_TEXT], node('n1'), agentPod('agent-1')),
    ]) {
      expect(result.unschedulable.map(({ pod: name }) => name)).toEqual(['default/client']);
    }
  });
});

describe('a DaemonSet of the cluster', () => {
  const created = (name: string, creationTimestamp: string, cpu: string) => {
    const running = agentPod(name, spec([], cpu));
    return { ...running, metadata: { ...(running.metadata as Plain), creationTimestamp } };
  };

  test('is planned with the requests of its newest pod', () => {
    const pods = [
      created('a', '2026-01-01T00:00:00Z', '1'),
      created('b', '2026-01-03T00:00:00Z', '2'),
      created('c', '2026-01-02T00:00:00Z', '3'),
    ];
    expect(verdict([], AGENT, node('n1'), ...pods).nodeClaims[0].requests.cpu).toBe('5');
  });

  test('is planned with the node affinity of its template, because the controller replaces that of pods', () => {
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
        },
      },
    };
    const result = verdict([], AGENT, node('n1'), agentPod('agent-1', { ...spec([]), affinity }));
    expect(result.nodeClaims[0].requests.cpu).toBe('3100m');
  });
});

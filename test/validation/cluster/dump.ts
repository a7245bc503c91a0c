/** Objects of a cluster as kubectl prints them, with the fields that the tests need. */

export type Plain = Record<string, unknown>;

interface NodeFields {
  readonly labels?: Record<string, string>;
  readonly taints?: Plain[];
  readonly providerID?: string;
  readonly metadata?: Plain;
  readonly amounts?: Record<string, string>;
}

export const AMOUNTS = { cpu: '2', memory: '8Gi', pods: '29', 'ephemeral-storage': '20Gi' };
const READY = {
  'karpenter.sh/nodepool': 'default',
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
  'node.kubernetes.io/instance-type': 'm5.large',
};

/** A running node that Karpenter did not launch. */
export function node(
  name: string,
  { labels = {}, taints, providerID, metadata, amounts = AMOUNTS }: NodeFields = {},
): Plain {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels }, ...metadata },
    spec: { providerID: providerID ?? `aws:///us-east-1a/${name}`, taints },
    status: { capacity: amounts, allocatable: amounts },
  };
}

/** A running node that Karpenter launched. */
export function karpenterNode(name: string, fields: NodeFields = {}): Plain {
  return node(name, { ...fields, labels: { ...READY, 'topology.kubernetes.io/zone': 'us-east-1a', ...fields.labels } });
}

interface ClaimFields {
  readonly of?: string;
  readonly metadata?: Plain;
  readonly spec?: Plain;
  readonly status?: Plain;
  readonly labels?: Record<string, string>;
}

/** The NodeClaim of the node `of`; the node need not exist. */
export function nodeClaim(name: string, { of = name, metadata, spec, status, labels }: ClaimFields = {}): Plain {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name, labels: { 'karpenter.sh/nodepool': 'default', ...labels }, ...metadata },
    spec: { ...spec },
    status: { providerID: `aws:///us-east-1a/${of}`, capacity: AMOUNTS, allocatable: AMOUNTS, ...status },
  };
}

interface PodFields {
  readonly on?: string;
  readonly cpu?: string;
  readonly owner?: readonly [string, string];
  readonly labels?: Record<string, string>;
  readonly metadata?: Plain;
  readonly spec?: Plain;
  readonly status?: Plain;
}

/** A pod: running on the node `on`, or pending. */
export function pod(name: string, { on, cpu = '500m', owner, labels, metadata, spec, status }: PodFields = {}): Plain {
  const pending = {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      labels,
      ...(owner
        ? {
            ownerReferences: [
              {
                apiVersion: owner[0] === 'Job' ? 'batch/v1' : 'apps/v1',
                kind: owner[0],
                name: owner[1],
                controller: true,
              },
            ],
          }
        : {}),
      ...metadata,
    },
    spec: { nodeName: on, containers: [{ name: 'main', resources: { requests: { cpu, memory: '64Mi' } } }], ...spec },
    status: { ...(on ? { phase: 'Running' } : pending), ...status },
  };
}

export function object(apiVersion: string, kind: string, name: string, fields: Plain = {}, namespace?: string): Plain {
  return { apiVersion, kind, metadata: { name, namespace }, ...fields };
}

/** As `kubectl get -o json` prints several objects. */
export function dump(...items: Plain[]): { path: string; text: string }[] {
  return [{ path: 'cluster.json', text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) }];
}

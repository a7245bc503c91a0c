import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settledFleets } from '../../../src/scheduling';
import { readSession } from '../../../src/validation/context/check-session';

/** From the launch until the node was ready. */
const NODE_START = 38;

interface Recording {
  readonly name: string;
  readonly manifests: string;
  /** Seconds between two Deployments. @default - all at once */
  readonly interval?: number;
  /** What each recording of the fleet ended with, before anything was disrupted. */
  readonly nodes: readonly number[];
  readonly usdPerHour: readonly number[];
  /** Recorded figures outside of the predicted range. */
  readonly missedNodes?: readonly number[];
  readonly missedCosts?: readonly number[];
  readonly pending?: number;
}

/**
 * Fleets recorded from real programs: etcd, kube-apiserver, kube-scheduler, kube-controller-manager 1.35.1 and
 * Karpenter 1.15.0 with the instance types of us-east-1.
 */
const RECORDINGS: readonly Recording[] = [
  // Twelve recordings: the fewest, the median and the most.
  { name: 'plain', manifests: 'plain-1', nodes: [10, 11, 12], usdPerHour: [7.21, 7.66, 7.88] },
  { name: 'zone spread', manifests: 'zone-hard', nodes: [11, 11], usdPerHour: [7.62, 7.8665] },
  {
    name: 'anti-affinity over hosts',
    manifests: 'anti-hard',
    nodes: [20, 25],
    usdPerHour: [8.37, 8.2566],
  },
  { name: 'DaemonSets', manifests: 'daemons', nodes: [11], usdPerHour: [7.651] },
  {
    name: 'pods that fit nowhere',
    manifests: 'big2-stuck',
    nodes: [36],
    usdPerHour: [30.6452],
    missedCosts: [30.6452],
    pending: 2,
  },
  { name: 'limits', manifests: 'limits', nodes: [4], usdPerHour: [3.616], pending: 95 },
  { name: 'two GPU pods', manifests: 'gpu-two-nodes', nodes: [2], usdPerHour: [5.4064] },
  {
    name: 'one Deployment after the other',
    manifests: 'plain-1',
    interval: 5,
    nodes: [31],
    missedNodes: [31],
    usdPerHour: [7.7954],
  },
  { name: 'before a consolidation', manifests: 'cons', nodes: [10], usdPerHour: [7.66] },
  { name: 'before a roll', manifests: 'drift', nodes: [11], usdPerHour: [7.746] },
];

function predicted({ manifests, interval }: Recording) {
  const text = readFileSync(join(__dirname, 'fleets', `${manifests}.yaml`), 'utf8');
  const { input, catalog } = readSession([{ path: 'all.yaml', text }], { systemDaemonSets: 'none' });
  const arrivals = interval === undefined ? undefined : input.pods.map((_, group) => group * interval);
  const fleets = settledFleets(input, catalog, { nodeStart: NODE_START, arrivals });
  return {
    nodes: fleets.map(({ nodes }) => nodes.length),
    usdPerHour: fleets.map(({ nodes }) => nodes.reduce((sum, { offer }) => sum + offer!.usdPerHour, 0)),
    pending: fleets.map(({ pending }) => [...pending.values()].reduce((sum, count) => sum + count, 0)),
  };
}

const isBetween = (values: readonly number[]) => (value: number) =>
  value >= Math.min(...values) - 0.005 && value <= Math.max(...values) + 0.005;

describe('the predicted range of a recorded fleet', () => {
  test.each(RECORDINGS)('$name has the recorded nodes and cost, except for the named misses', (recording) => {
    const range = predicted(recording);
    const { nodes, usdPerHour, missedNodes = [], missedCosts = [], pending = 0 } = recording;
    expect(nodes.filter((count) => !isBetween(range.nodes)(count))).toEqual(missedNodes);
    expect(usdPerHour.filter((cost) => !isBetween(range.usdPerHour)(cost))).toEqual(missedCosts);
    expect(isBetween(range.pending)(pending)).toBe(true);
  });
});

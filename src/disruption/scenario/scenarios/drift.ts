import { cloneClaim, cloneNode } from '../../clone';
import { ClusterNode } from '../../cluster';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';

/** A node that drifts when the scenario starts. */
export interface DriftedNode {
  readonly node: string;
  /** Karpenter's own reason. */
  readonly reason: string;
  /** The fields that changed. */
  readonly fields: readonly string[];
}

/**
 * Karpenter replaces drifted nodes. Nodes with the condition Drifted are replaced in any case.
 *
 * @param drifted further drifted nodes; @default - all nodes, as after a new AMI
 */
export function driftScenario(start: ScenarioStart, drifted: readonly DriftedNode[] | undefined): ScenarioReport[] {
  const { baseline } = start;
  const reasons = new Map(drifted?.map(({ node, reason }) => [node, reason]));
  const nodes = baseline.cluster.nodes.map((node) =>
    withDrift(node, drifted ? reasons.get(node.name) : 'AMIDrift', start),
  );
  const apply = (cluster: SimulatedCluster) =>
    drifted?.forEach(({ node, reason, fields }) =>
      cluster.recordEvent([`${node} has drifted: ${reason}`, ...fields].join(', ')),
    );
  const drifting = { ...start, baseline: baseline.derive({ ...baseline.cluster, nodes }) };
  return [
    simulateFrom(drifting, {
      scenario: 'drift',
      events: [{ at: start.start, apply }],
      methods: ['StaticDrift', 'Drift'],
    }),
  ];
}

function withDrift(node: ClusterNode, reason: string | undefined, { start: since }: ScenarioStart): ClusterNode {
  if (!node.claim || node.deleting || reason === undefined) return node;
  const [drifted, claim] = [cloneNode(node), cloneClaim(node.claim)];
  claim.drifted = { reason, since };
  drifted.claim = claim;
  return drifted;
}

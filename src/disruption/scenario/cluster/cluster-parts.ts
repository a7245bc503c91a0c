import { ClusterNode, Instant } from '../../cluster';
import { ScenarioTimes } from '../scenario-times';
import { ClusterBaseline } from './cluster-baseline';
import { ConsolidationState } from './consolidation-state';
import { NodesInTransition } from './nodes-in-transition';
import { SimulatedNode } from './simulated-node';
import { SimulatedPods } from './simulated-pods';
import { ClusterConfig } from './snapshots';

/** What `PodLifecycle` and `CloudProvider` read and change of the `SimulatedCluster` that owns them. */
export interface ClusterParts {
  readonly baseline: ClusterBaseline;
  readonly times: ScenarioTimes;
  readonly now: Instant;
  readonly nodes: ReadonlyMap<string, SimulatedNode>;
  readonly pods: SimulatedPods;
  readonly nodesInTransition: NodesInTransition;
  readonly consolidation: ConsolidationState;
  config: ClusterConfig;
  needsProvisioning: boolean;
  decisionVersion: number;
  after(seconds: number): Instant;
  recordEvent(what: string): void;
  recordPodEvent(nodeName: string | undefined): void;
  addNode(ordinal: number, node: ClusterNode, initializedAt: Instant): void;
}

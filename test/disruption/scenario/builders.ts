import { Cluster, ClusterBaseline, ScenarioName, ScenarioTimes, timesOf } from '../../../src/disruption';
import { SimulatedCluster } from '../../../src/disruption/scenario/cluster/simulated-cluster';
import { NOW } from '../builders';

/** A simulation that has not begun. */
export function simulatedCluster(
  cluster: Cluster,
  times: Partial<ScenarioTimes> = {},
  scenario: ScenarioName = 'consolidation',
): SimulatedCluster {
  return new SimulatedCluster(new ClusterBaseline(cluster), NOW, timesOf(scenario, { times }));
}

export function scenarioStart(
  cluster: Cluster,
  times: Partial<ScenarioTimes> = {},
  scenario: ScenarioName = 'consolidation',
) {
  return { baseline: new ClusterBaseline(cluster), start: NOW, times: timesOf(scenario, { times }) };
}

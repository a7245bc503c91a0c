import { Chart, Testing, Yaml } from 'cdk8s';
import * as nodes from '../../src/nodes';
import * as setups from '../../src/setups';
import { check, Verdict } from '../../src/validation';

export const ZONES = nodes.Zone.ofRegion('eu-west-1', 'a', 'b', 'c');

export const newChart = (): Chart => new Chart(Testing.app(), 'nodes');

/** The setup in a chart, for a cluster that is created elsewhere. */
export function newSetup(chart: Chart, props: Partial<setups.ProductionSetupProps> = {}): setups.ProductionSetup {
  return new setups.ProductionSetup(chart, 'Nodes', {
    cluster: setups.SetupCluster.byDiscoveryTag('shop', nodes.NodeIdentity.role('KarpenterNodeRole-shop')),
    nodeClassOptions: { amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')] },
    zones: ZONES,
    ...props,
  });
}

export function verdictOf(chart: Chart): Verdict {
  const featureGates = { StaticCapacity: true, SpotToSpotConsolidation: true };
  return check([{ path: 'nodes.yaml', text: Yaml.stringify(...Testing.synth(chart)) }], {
    region: 'eu-west-1',
    featureGates,
  });
}

export function specOf(chart: Chart, name: string): any {
  const object = Testing.synth(chart).find(
    (candidate: any) => candidate.kind === 'NodePool' && candidate.metadata.name === name,
  );
  expect(object).toBeDefined();
  return object.spec;
}

import { clusterFromFiles } from './cluster-from-files';
import { DisruptionScenario, ClusterSnapshot } from './generate';
import { Catalog } from '../../../src/catalog';
import { Cluster } from '../../../src/disruption';
import { readManifests } from '../../../src/validation';
import { scheduleInput } from '../../../src/validation/context/schedule-input';
import { ManifestModel } from '../../../src/validation/manifest/model';
import { uniformFigures } from '../uniform-figures';

/** Milliseconds for which Karpenter nominates a node for pending pods. */
const NOMINATION = 10_000;

/** Catalogs by their settings, for the life of the process: scenarios share a few. */
const catalogs = new Map<string, Catalog>();

/**
 * The cluster of a generated scenario.
 *
 * @throws Error if the API server would refuse the scenario's manifests
 */
export function clusterOf(scenario: DisruptionScenario): Cluster {
  return scenarioCluster(scenario).cluster;
}

/** The model of a scenario's manifests, and its cluster. */
export function scenarioCluster({
  manifests,
  cluster,
  settings,
  now,
  nominated,
}: ClusterSnapshot & Pick<DisruptionScenario, 'settings'>): {
  readonly model: ManifestModel;
  readonly cluster: Cluster;
} {
  const options = { ...settings, cluster: [{ path: 'cluster.yaml', text: cluster }] };
  const model = readManifests([{ path: 'scenario.yaml', text: manifests }], options);
  const [rejected] = model.problems.filter(({ severity }) => severity === 'error');
  if (rejected) throw new Error(`the scenario is not one that the API takes: ${rejected.message}`);
  const scheduled = scheduleInput(model, options);
  // The oracle walks Karpenter's maps by key.
  const input = { ...scheduled, settings: { ...scheduled.settings, domainOrder: 'by-key' as const } };
  const current = clusterFromFiles(model, input, catalogOf(settings), options);
  const nodes = current.nodes.map((node) =>
    nominated.includes(node.name) ? { ...node, nominatedUntil: now + NOMINATION } : node,
  );
  return { model, cluster: { ...current, nodes } };
}

function catalogOf(settings: DisruptionScenario['settings']): Catalog {
  const key = JSON.stringify(settings);
  const catalog = catalogs.get(key) ?? Catalog.load({ ...settings, figures: uniformFigures(settings.region) });
  catalogs.set(key, catalog);
  return catalog;
}

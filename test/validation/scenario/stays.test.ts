import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CheckOptions,
  renderHtml,
  renderScenariosText,
  checkedSession,
  simulateScenario,
} from '../../../src/validation';

/** Clusters after public bug reports, in which people ask why a node is not consolidated. */
function filesOf(folder: string) {
  const read = (name: string) => ({
    path: name,
    text: readFileSync(join(__dirname, 'stays', folder, name), 'utf8'),
  });
  return { sources: [read('pool.yaml'), read('web.yaml')], cluster: [read('cluster.yaml')] };
}

function consolidated(folder: string, options: CheckOptions = {}) {
  const { sources, cluster } = filesOf(folder);
  return simulateScenario(sources, 'consolidation', { cluster, ...options });
}

const staysOf = (folder: string, options?: CheckOptions) => consolidated(folder, options).reports[0].stays!;
const monthly = (usdPerHour: number) => Math.round(usdPerHour * 730);

describe('one large node that two small ones could replace', () => {
  test('stays, because Karpenter launches one replacement at most, and goes if a type between is allowed', () => {
    const { nodes, changes } = staysOf('split-node');
    expect(nodes).toMatchObject([{ node: 'n1', event: { reason: 'Unconsolidatable' } }]);
    expect(nodes[0].why).toContain('Karpenter never replaces a node by several');
    expect(changes).toMatchObject([{ change: 'allow instance type m7i.2xlarge in NodePool fruit', nodes: ['n1'] }]);
    expect(monthly(changes[0].savesUsdPerHour)).toBe(294);
  });

  test('is the answer instead of a duration of 0 s', () => {
    const lines = renderScenariosText(consolidated('split-node')).split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'consolidation: Karpenter removes no node: 1 node stays, $0.8064/h',
      '  $294/month stays on the table: $294 if you allow instance type m7i.2xlarge in NodePool fruit',
    ]);
    expect(lines).toContain('    → allow instance type m7i.2xlarge in NodePool fruit: saves $294/month (simulated)');
  });
});

describe('an oversized spot node', () => {
  test('stays without the feature gate, in the words of Karpenter', () => {
    const { nodes } = staysOf('spot-node');
    expect(nodes[0].event?.message).toBe(
      "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    );
    expect(nodes[0].change).toBe(
      'enable the feature gate SpotToSpotConsolidation, and allow instance category m of generation 5 and later in NodePool fruit, instead of 6 instance types',
    );
  });

  test('stays with the feature gate, because fewer than 15 types are cheaper', () => {
    const [node] = staysOf('spot-node', { featureGates: { SpotToSpotConsolidation: true } }).nodes;
    expect(node.event?.message).toBe(
      'SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, got 5',
    );
    expect(node.change).toBe(
      'allow instance category m of generation 5 and later in NodePool fruit, instead of 6 instance types',
    );
    expect(node.savesUsdPerHour).toBeGreaterThan(0);
  });
});

describe('nearly empty nodes whose pods prefer to be apart', () => {
  test('stay, and all but one go if Karpenter ignores preferences', () => {
    const { nodes, changes } = staysOf('preferred-spread');
    expect(nodes).toHaveLength(5);
    expect(changes).toMatchObject([{ change: 'run Karpenter with preferencePolicy: Ignore' }]);
    expect(changes[0].nodes).toHaveLength(4);
    expect(monthly(changes[0].savesUsdPerHour)).toBe(294);
  });

  test('are removed with preferencePolicy Ignore', () => {
    expect(consolidated('preferred-spread', { preferencePolicy: 'Ignore' }).reports[0].after.nodes).toBe(1);
  });
});

describe('almost empty nodes', () => {
  test('that stay have their reason each, with its price', () => {
    const { nodes, changes, savesUsdPerHour } = staysOf('almost-empty');
    expect(nodes.map(({ node, event }) => [node, event?.message])).toEqual([
      ['n1', 'Pdb prevents pod evictions (PodDisruptionBudget=[default/keeper])'],
      ['n2', 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/pinned-5d9c-0)'],
    ]);
    expect(changes.map(({ change, savesUsdPerHour: saves }) => [change, monthly(saves)])).toEqual([
      ['write maxUnavailable: 1 in PodDisruptionBudget default/keeper', 589],
      ['remove the annotation karpenter.sh/do-not-disrupt from Deployment default/pinned', 589],
    ]);
    expect(monthly(savesUsdPerHour)).toBe(1104);
  });

  test('are a table in the HTML report', () => {
    const { sources, cluster } = filesOf('almost-empty');
    const { verdict } = checkedSession(sources, { cluster });
    const page = renderHtml(verdict, consolidated('almost-empty'));
    expect(page).toContain('<strong>$1,104/month stays on the table');
    expect(page).toContain('aria-label="Why nodes stay"');
    expect(page).toContain('Karpenter: DisruptionBlocked: Pdb prevents pod evictions');
  });
});

test('a cluster without nodes has none that stays', () => {
  const { sources } = filesOf('split-node');
  const text = renderScenariosText(simulateScenario(sources.slice(0, 1), 'consolidation'));
  expect(text.split('\n')[0]).toBe('consolidation: there is no node');
});

test('a spot node is not said to have a cheaper replacement before the price is compared', () => {
  const [{ why }] = staysOf('spot-node').nodes;
  expect(why).toBe(
    'the pods would need another spot node, and Karpenter replaces spot by spot only with the feature gate SpotToSpotConsolidation',
  );
});

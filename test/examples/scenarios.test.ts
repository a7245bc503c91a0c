import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { DEFAULT_REGION, SCENARIO_EXAMPLES } from '../../examples/scenarios';
import { KarpenterAssertions, Scenario } from '../../src/assertions';
import { exampleReadme, examplesIndex, verdictOf } from '../../tools/docs/examples-doc';

const EXAMPLES = join(__dirname, '../../examples');
const read = (path: string) => readFileSync(join(EXAMPLES, path), 'utf8');

function assertionsOn(name: string): KarpenterAssertions {
  const { chart, facts } = SCENARIO_EXAMPLES.find((example) => example.name === name)!;
  const { region = DEFAULT_REGION, featureGates } = facts ?? {};
  return KarpenterAssertions.fromChart(new chart(Testing.app(), name), { region, featureGates });
}

describe.each(SCENARIO_EXAMPLES.map((example) => [example.name, example] as const))(
  'the example %s',
  (name, example) => {
    test('has no findings, and a node for each pod', () => {
      const { findings, notEvaluated, summary } = verdictOf(example);
      expect({ findings, notEvaluated }).toEqual({ findings: [], notEvaluated: [] });
      expect(summary.pods).toBeGreaterThan(0);
      assertionsOn(name).hasAllPodsScheduled();
    });

    test('has a README.md that equals the output of `tsx tools/docs/examples-doc.ts`', () => {
      expect(read(`${name}/README.md`)).toBe(exampleReadme(example));
    });
  },
);

test('examples/README.md equals the output of `tsx tools/docs/examples-doc.ts`, and lists every folder', () => {
  expect(read('README.md')).toBe(examplesIndex(SCENARIO_EXAMPLES));
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !['demo', 'dist', 'explain'].includes(entry.name),
  );
  expect(folders.map((entry) => entry.name).filter((folder) => !read('README.md').includes(`| [${folder}](`))).toEqual(
    [],
  );
});

describe('the claims of the examples', () => {
  test('high-availability keeps four of six pods ready when a zone fails, and five while all nodes drift', () => {
    const karpenter = assertionsOn('high-availability');
    karpenter.keepsReady('checkout', 4, Scenario.ZONE_OUTAGE);
    karpenter.keepsReady('checkout', 5, Scenario.DRIFT);
  });

  test('spot-on-demand-split runs two of ten pods on demand', () => {
    const { nodeClaims } = verdictOf(SCENARIO_EXAMPLES.find(({ name }) => name === 'spot-on-demand-split')!);
    expect(nodeClaims.filter(({ nodePool }) => nodePool === 'on-demand').flatMap(({ pods }) => pods)).toHaveLength(2);
    expect(nodeClaims.filter(({ nodePool }) => nodePool === 'spot').flatMap(({ pods }) => pods)).toHaveLength(8);
  });

  test('stateful keeps two of three replicas ready while all nodes drift', () =>
    assertionsOn('stateful').keepsReady('orders', 2, Scenario.DRIFT));

  test('shared-files keeps two of three pods of each workload ready when a zone fails', () => {
    const karpenter = assertionsOn('shared-files');
    for (const workload of ['uploads', 'ledger']) karpenter.keepsReady(workload, 2, Scenario.ZONE_OUTAGE);
  });

  test('headroom keeps room for two more pods', () => {
    const { nodeClaims } = verdictOf(SCENARIO_EXAMPLES.find(({ name }) => name === 'headroom')!);
    expect(nodeClaims.flatMap(({ pods }) => pods).filter((pod) => pod.includes('capacity-buffer'))).toHaveLength(2);
  });

  test('multi-arch has at least 20 instance types for its Graviton pool in each zone', () => {
    assertionsOn('multi-arch').hasInstanceTypesInEachZone('graviton', 20);
  });

  test.each([
    ['gpu', /^g[5-9]/],
    ['efa', /^g6e\.48xlarge$/],
    ['neuron', /^inf2\./],
  ])('%s launches only instance types that match %s', (name, types) => {
    const { nodeClaims } = verdictOf(SCENARIO_EXAMPLES.find((example) => example.name === name)!);
    const launched = nodeClaims.map(({ launch }) => launch?.instanceTypes[0] ?? '');
    expect(launched.length).toBeGreaterThan(0);
    expect(launched.filter((type) => !types.test(type))).toEqual([]);
  });

  test('windows gets nodes of the Windows pool only', () => {
    const { nodeClaims } = verdictOf(SCENARIO_EXAMPLES.find(({ name }) => name === 'windows')!);
    expect(new Set(nodeClaims.map(({ nodePool }) => nodePool))).toEqual(new Set(['windows']));
  });
});

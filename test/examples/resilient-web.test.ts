import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Testing, Yaml } from 'cdk8s';
import { afternoon } from '../../examples/resilient-web/afternoon';
import { NginxDemo } from '../../examples/resilient-web/chart';
import { KarpenterAssertions, Scenario } from '../../src/assertions';
import { check, SimulatedScenario, simulateScenario } from '../../src/validation';

function sources(resilient: boolean) {
  return [
    {
      path: 'nginx-demo.yaml',
      text: Yaml.stringify(...Testing.synth(new NginxDemo(Testing.app(), 'nginx-demo', resilient))),
    },
  ];
}

function verdictOn(resilient: boolean) {
  return check(sources(resilient), { region: 'eu-west-1' });
}

/** The lowest number of ready replicas in any report of the scenario. */
function lowestReady(scenario: SimulatedScenario, resilient: boolean): number {
  const { reports } = simulateScenario(sources(resilient), scenario, { region: 'eu-west-1' });
  return Math.min(...reports.flatMap(({ workloads }) => workloads.map((workload) => workload.lowestReady)));
}

describe('the resilient-web example', () => {
  test('runs on one node without protection, and has findings', () => {
    const { nodeClaims, findings } = verdictOn(false);
    expect(nodeClaims.map(({ pods }) => pods)).toEqual([['default/nginx-demo-0', 'default/nginx-demo-1']]);
    expect(findings.map(({ name }) => name)).toEqual(['no-pdb']);
  });

  test('runs on two nodes in two zones with protection, without findings', () => {
    const { nodeClaims, findings, notEvaluated } = verdictOn(true);
    expect(nodeClaims.map(({ pods }) => pods)).toEqual([['default/nginx-demo-0'], ['default/nginx-demo-1']]);
    expect(new Set(nodeClaims.flatMap(({ zones }) => zones)).size).toBe(2);
    expect({ findings, notEvaluated }).toEqual({ findings: [], notEvaluated: [] });
  });
});

describe.each<SimulatedScenario>(['drift', 'spot-interruption', 'zone-outage', 'expiration'])(
  '%s of the resilient-web example',
  (scenario) => {
    test('leaves no replica ready without protection, and always one with protection', () => {
      expect(lowestReady(scenario, false)).toBe(0);
      expect(lowestReady(scenario, true)).toBe(1);
    });
  },
);

describe('consolidation of the resilient-web example', () => {
  const folder = mkdtempSync(join(tmpdir(), 'resilient-web-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function afternoonAssertions(resilient: boolean): KarpenterAssertions {
    const chart = new NginxDemo(Testing.app(), 'nginx-demo', resilient);
    const file = join(folder, `${resilient}.yaml`);
    writeFileSync(file, afternoon(chart, 'eu-west-1').text);
    return KarpenterAssertions.fromChart(chart, { region: 'eu-west-1', clusterFiles: [file] });
  }

  test('leaves no replica ready for a while without protection', () => {
    expect(() => afternoonAssertions(false).keepsReady('nginx-demo', 1, Scenario.CONSOLIDATION)).toThrow(
      /got 0\n\nconsolidation: 2 → 1 node[^]*SingleNodeConsolidation decides to delete web-0[^]*nginx-demo has no pod ready/,
    );
  });

  test('keeps a replica ready with protection, and still removes a node', () => {
    const karpenter = afternoonAssertions(true);
    karpenter.hasAllPodsScheduled();
    karpenter.completes(Scenario.CONSOLIDATION);
    karpenter.keepsReady('nginx-demo', 1, Scenario.CONSOLIDATION);
    expect(() => karpenter.keepsReady('nginx-demo', 2, Scenario.CONSOLIDATION)).toThrow(
      /got 1\n\nconsolidation: 3 → 2 nodes/,
    );
  });
});

/**
 * What happens to nginx-demo when Karpenter consolidates its node, without and with protection: `npx tsx
 * examples/resilient-web/consolidation.ts`. `check --cluster … --scenario consolidation` prints the same of a cluster
 * of your own.
 */
import { App, Yaml } from 'cdk8s';
import { afternoon } from './afternoon';
import { NginxDemo } from './chart';
import { simulateScenario, renderScenariosText } from '../../src/validation';

const REGION = 'eu-west-1';

console.log('A report is done, and leaves room on its node: Karpenter moves what fits there, and saves a node.\n');
for (const [title, resilient] of [
  ['as it is often written', false],
  ['with workloads.Resilience', true],
] as const) {
  const chart = new NginxDemo(new App(), 'nginx-demo', resilient);
  const sources = [{ path: 'nginx-demo.yaml', text: Yaml.stringify(...chart.toJson()) }];
  const {
    reports: [report],
  } = simulateScenario(sources, 'consolidation', { region: REGION, cluster: [afternoon(chart, REGION)] });
  const ofNginx = { ...report, workloads: report.workloads.filter(({ workload }) => workload.endsWith('/nginx-demo')) };
  console.log(`nginx-demo ${title}\n${renderScenariosText({ reports: [ofNginx], assumptions: [], notEvaluated: [] })}`);
}

/**
 * What `npm run demo` prints: a pod that fits nowhere, with what to write instead; the fleet after the fix; and what
 * protection is worth when Karpenter consolidates nodes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Yaml } from 'cdk8s';
import { afternoon } from './resilient-web/afternoon';
import { NginxDemo } from './resilient-web/chart';
import { check, renderText, simulateScenario } from '../src/validation';

const REGION = 'eu-west-1';
const MANIFEST = readFileSync(join(__dirname, 'demo/shop.yaml'), 'utf8');

/** The outcome, and the blocks of the report that begin with one of the texts. */
function verdictOn(manifest: string, ...beginnings: string[]): string {
  const verdict = check([{ path: 'shop.yaml', text: manifest }], { region: REGION });
  const [outcome, ...blocks] = renderText(verdict).trimEnd().split('\n\n');
  return [outcome, ...blocks.filter((block) => beginnings.some((beginning) => block.startsWith(beginning)))].join(
    '\n\n',
  );
}

/** How many of its two pods nginx-demo keeps ready while its node is consolidated. */
function consolidationOf(title: string, resilient: boolean): string {
  const chart = new NginxDemo(new App(), 'nginx-demo', resilient);
  const sources = [{ path: 'nginx-demo.yaml', text: Yaml.stringify(...chart.toJson()) }];
  const { reports } = simulateScenario(sources, 'consolidation', {
    region: REGION,
    cluster: [afternoon(chart, REGION)],
  });
  const { workloads } = reports[0];
  const { lowestReady, replicas } = workloads.find(({ workload }) => workload.endsWith('/nginx-demo'))!;
  return `${title}, at least ${lowestReady} of ${replicas} pods of nginx-demo are ready while Karpenter consolidates its node.`;
}

console.log(
  [
    '1. A pod that fits nowhere: karpenter-constructs check shop.yaml --region eu-west-1',
    verdictOn(MANIFEST, 'error['),
    '2. The same with 56Gi instead of 62Gi: the fleet that Karpenter would launch',
    verdictOn(MANIFEST.replaceAll('62Gi', '56Gi'), 'Nodes in'),
    '3. A consolidation',
    `${consolidationOf('As it is often written', false)}\n${consolidationOf('With workloads.Resilience', true)}`,
    [
      'Next, with your manifests:',
      '  karpenter-constructs check <folder> --region <region>      nodes, pods and cost',
      '  karpenter-constructs check <folder> --scenario all         what happens over time',
      '  karpenter-constructs recommend <folder>                    cheaper NodePools for the same pods',
      '  karpenter-constructs init --region <region>                settings and a pipeline',
    ].join('\n'),
  ].join('\n\n'),
);

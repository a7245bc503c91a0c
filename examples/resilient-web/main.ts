/**
 * A web server twice, without protection and with it: `npx tsx examples/resilient-web/main.ts` writes the manifests of
 * both to dist/, prints Karpenter's verdict on each, and what happens to it when all nodes are replaced, as for a new
 * AMI, and when a spot node is interrupted. In an app of your own the constructs come from 'karpenter-constructs', and
 * `check --scenario` prints the same. What a consolidation does to it is in consolidation.ts, which `npm run demo`
 * prints.
 */
import { readFileSync } from 'fs';
import { App } from 'cdk8s';
import { NginxDemo } from './chart';
import { KarpenterVerdict } from '../../src/plugins';
import { simulateScenario, renderScenariosText } from '../../src/validation';

const REGION = 'eu-west-1';

for (const name of ['unprotected', 'resilient']) {
  const app = new App({ outdir: `dist/resilient-web/${name}` });
  new NginxDemo(app, 'nginx-demo', name === 'resilient');
  const verdict = new KarpenterVerdict(app, 'Verdict', { region: REGION, quiet: true });
  app.synth();
  console.log(`== ${name}\n${verdict.text}`);
  const path = `${app.outdir}/nginx-demo.k8s.yaml`;
  for (const scenario of ['drift', 'spot-interruption'] as const) {
    const simulated = simulateScenario([{ path, text: readFileSync(path, 'utf8') }], scenario, { region: REGION });
    console.log(`== ${name}, ${scenario}\n${renderScenariosText(simulated)}`);
  }
}

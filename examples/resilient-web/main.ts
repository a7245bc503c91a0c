/**
 * A web server twice, without protection and with it: `npx tsx examples/resilient-web/main.ts` writes the manifests of both to dist/ and
 * prints Karpenter's verdict on each. In an app of your own the constructs come from 'karpenter-constructs'.
 */
import { App } from 'cdk8s';
import { NginxDemo } from './chart';
import { KarpenterVerdict } from '../../src/plugins';

for (const name of ['unprotected', 'resilient']) {
  const app = new App({ outdir: `dist/resilient-web/${name}` });
  new NginxDemo(app, 'nginx-demo', name === 'resilient');
  const verdict = new KarpenterVerdict(app, 'Verdict', { region: 'eu-west-1', quiet: true });
  app.synth();
  console.log(`== ${name}\n${verdict.text}`);
}

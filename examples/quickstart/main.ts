/**
 * The quickstart as an app: `npm run demo` writes its manifests to dist/ and prints Karpenter's verdict on them. In an
 * app of your own the constructs come from 'karpenter-constructs'.
 */
import { App } from 'cdk8s';
import { QuickstartChart } from './chart';
import { KarpenterVerdict } from '../../src/plugins';

const app = new App();
new QuickstartChart(app, 'quickstart');
const verdict = new KarpenterVerdict(app, 'Verdict', {
  region: 'ap-northeast-2',
  zones: ['ap-northeast-2a', 'ap-northeast-2c'],
  zoneIds: { 'ap-northeast-2a': 'apne2-az1', 'ap-northeast-2c': 'apne2-az3' }, // of this account: aws ec2 describe-availability-zones
  quiet: true, // the demo prints all of the verdict, not the short report
});

try {
  app.synth();
} finally {
  console.log(verdict.text); // also of a synth that it failed
}

/**
 * The platform as an app: `npx tsx examples/platform/main.ts` writes its manifests to dist/ and prints Karpenter's
 * verdict on them. In an app of your own the constructs come from 'karpenter-constructs'.
 */
import { App } from 'cdk8s';
import { PlatformChart } from './chart';
import { KarpenterVerdict } from '../../src/plugins';

const app = new App();
new PlatformChart(app, 'platform');
new KarpenterVerdict(app, 'Verdict', {
  region: 'eu-west-1',
  featureGates: { nodeOverlay: true, staticCapacity: true, capacityBuffer: true },
});
app.synth();

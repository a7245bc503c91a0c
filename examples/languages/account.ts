import { App, Stack } from 'aws-cdk-lib';
import { infra } from '../../src';

const app = new App({ outdir: 'dist' });
const stack = new Stack(app, 'Account', { env: { account: '111122223333', region: 'eu-west-1' } });
const karpenter = new infra.Karpenter(stack, 'Karpenter', {
  cluster: new infra.ClusterReference(stack, 'Cluster', { clusterName: 'shop' }),
  identity: infra.ControllerIdentity.podIdentity({ installAgent: false }),
  permissions: { placementGroups: false },
  helmValues: { settings: { featureGates: { nodeOverlay: true } } },
});
app.synth();
console.log(karpenter.helmValues.settings.featureGates.nodeOverlay);

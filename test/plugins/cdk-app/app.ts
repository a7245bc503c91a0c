import { App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { KarpenterVerdictPlugin } from '../../../src/plugins';
import { deployment, NODE_CLASS, nodePool } from '../objects';

/** An app with a Deployment that requests the CPUs in the context value `cpu`. */
const app = new App();
Validations.of(app).addPlugins(new KarpenterVerdictPlugin({ helmValuesFile: app.node.tryGetContext('values') }));
const stack = new Stack(app, 'Prod', { env: { region: 'eu-west-1', account: '123456789012' } });
const objects = [NODE_CLASS, nodePool(), deployment(app.node.getContext('cpu'))];
new CfnResource(stack, 'Objects', {
  type: 'Custom::AWSCDK-EKS-KubernetesResource',
  properties: { ClusterName: 'prod', Manifest: stack.toJsonString(objects) },
});

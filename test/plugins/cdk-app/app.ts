import { App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { KarpenterValidation } from '../../../src/plugins';

/** An app whose Deployment wants as many CPUs as the context says. */
const app = new App();
Validations.of(app).addPlugins(new KarpenterValidation({ helmValuesFile: app.node.tryGetContext('values') }));
const stack = new Stack(app, 'Prod', { env: { region: 'eu-west-1', account: '123456789012' } });

const selectorTerms = [{ tags: { 'karpenter.sh/discovery': 'prod' } }];
const labels = { app: 'web' };
const resources = { requests: { cpu: app.node.getContext('cpu'), memory: '1Gi' } };
const objects = [
  {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: { role: 'node', amiSelectorTerms: [{ alias: 'al2023@v20250915' }], subnetSelectorTerms: selectorTerms, securityGroupSelectorTerms: selectorTerms },
  },
  {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      limits: { cpu: 100 },
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [
            { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5'] },
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          ],
        },
      },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web', resources }] } },
    },
  },
];
new CfnResource(stack, 'Objects', { type: 'Custom::AWSCDK-EKS-KubernetesResource', properties: { ClusterName: 'prod', Manifest: stack.toJsonString(objects) } });

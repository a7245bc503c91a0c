/**
 * The example as an app of the AWS CDK: `cdk synth --app 'npx tsx examples/existing-roles/main.ts'`. In an app of
 * your own the constructs come from 'karpenter-constructs'.
 */
import { App, Validations } from 'aws-cdk-lib';
import { build } from './app';
import { KarpenterVerdictPlugin } from '../../src/plugins';

const app = new App();
Validations.of(app).addPlugins(new KarpenterVerdictPlugin());
build(app, {
  account: process.env.CDK_DEFAULT_ACCOUNT ?? '111122223333',
  region: process.env.CDK_DEFAULT_REGION ?? 'eu-west-1',
});
app.synth();

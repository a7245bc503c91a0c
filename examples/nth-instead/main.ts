/**
 * The example as an app of the AWS CDK: `cdk synth --app 'npx tsx examples/nth-instead/main.ts'`. In an app of your own
 * the constructs come from 'karpenter-constructs'.
 */
import { App } from 'aws-cdk-lib';
import { build } from './app';

const app = new App();
build(app, {
  account: process.env.CDK_DEFAULT_ACCOUNT ?? '111122223333',
  region: process.env.CDK_DEFAULT_REGION ?? 'eu-west-1',
});
app.synth();

import { App } from 'aws-cdk-lib';

export interface ExampleEnvironment {
  readonly account: string;
  readonly region: string;
}

/** What the `app.ts` of an example for the AWS CDK exports. */
export interface CdkExample {
  /** Where the example makes sense: all partitions unless it says so. */
  readonly partitions?: readonly string[];
  /** Adds the stacks of the example to an app. */
  build(app: App, env: ExampleEnvironment): void;
}

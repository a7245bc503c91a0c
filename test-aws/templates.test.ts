import { AwsSolutionsChecks } from 'cdk-nag';
import { runTool } from './python-tools';
import { Setup, synthSetups } from './setups';

const setups = synthSetups();

/** A dependency that is written although a reference implies it: the constructs of the CDK write many, and it does no harm. */
const REDUNDANT_DEPENDENCY = 'W3005';

describe.each(setups.map((setup): [string, Setup] => [`${setup.name} in ${setup.partition}`, setup]))('%s', (_, { app, region, templates }) => {
  test('has templates that CloudFormation accepts, says cfn-lint', () => {
    const { status, stdout, stderr } = runTool('cfn-lint', ['--regions', region, '--format', 'parseable', '--ignore-checks', REDUNDANT_DEPENDENCY, '--template', ...templates]);
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });

  test('has no finding of cdk-nag that is not acknowledged with a reason', () => {
    const { violations } = new AwsSolutionsChecks(app).validateScope(app);
    expect(violations.flatMap(({ ruleName, description, violatingResources }) => violatingResources
      .map(({ constructPath }) => `${constructPath}: ${ruleName}, ${description}`))).toEqual([]);
  });
});

test('cfn-lint would find what CloudFormation refuses', () => {
  const template = JSON.stringify({ Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { MessageRetention: 300 } } } });
  expect(runTool('cfn-lint', ['--format', 'parseable'], template).stdout).toContain("'MessageRetention' was unexpected");
});

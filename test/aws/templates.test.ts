import { AwsSolutionsChecks } from 'cdk-nag';
import { runTool } from './python-tools';
import { PARTITION_REGIONS, Setup, synthSetups } from './setups';

/** A DependsOn that a reference already implies. CDK constructs write many of them, and they are harmless. */
const REDUNDANT_DEPENDENCY = 'W3005';

const setups = synthSetups();

/**
 * cfn-lint's findings by region. One run checks all templates of a region, because loading the rules takes most of the
 * time.
 */
const findings = new Map(
  Object.values(PARTITION_REGIONS).map((region) => {
    const templates = setups.filter((setup) => setup.region === region).flatMap((setup) => setup.templates);
    const { stdout, stderr, status } = lint([
      '--regions',
      region,
      '--ignore-checks',
      REDUNDANT_DEPENDENCY,
      '--template',
      ...templates,
    ]);
    if (stderr !== '' || (status !== 0 && stdout === '')) throw new Error(`cfn-lint ended with ${status}: ${stderr}`);
    return [region, stdout.split('\n')] as const;
  }),
);

describe.each(setups.map((setup): [string, Setup] => [`${setup.name} in ${setup.partition}`, setup]))(
  '%s',
  (_, { app, region, templates }) => {
    test('has no cfn-lint finding', () => {
      expect(templates).not.toEqual([]);
      expect(
        findings.get(region)!.filter((line) => templates.some((template) => line.startsWith(`${template}:`))),
      ).toEqual([]);
    });

    test('has no unacknowledged cdk-nag finding', () => {
      const { violations } = new AwsSolutionsChecks(app).validateScope(app);
      expect(
        violations.flatMap(({ ruleName, description, violatingResources }) =>
          violatingResources.map(({ constructPath }) => `${constructPath}: ${ruleName}, ${description}`),
        ),
      ).toEqual([]);
    });
  },
);

test('cfn-lint finds an unknown property', () => {
  const template = JSON.stringify({
    Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { MessageRetention: 300 } } },
  });
  expect(lint([], template).stdout).toContain("'MessageRetention' was unexpected");
});

function lint(args: readonly string[], template?: string) {
  return runTool('cfn-lint', ['--format', 'parseable', ...args], template);
}

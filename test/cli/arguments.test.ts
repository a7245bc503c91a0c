import { writeFileSync } from 'fs';
import { join } from 'path';
import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const GOOD = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n');
const folder = folderOf({});

describe('invalid arguments', () => {
  test.each([
    [['check'], "missing required argument 'path'"],
    [['check', '-', '--region', 'eu-west-1a'], '--region: "eu-west-1a" is a zone, not a region; write eu-west-1\n'],
    [['check', '-', '--region', 'us-est-1'], '--region: "us-est-1" is not an AWS region; did you mean us-east-1?'],
    [['check', '-', '--zones', 'eu-wst-1a'], '--zones: "eu-wst-1a" is in no AWS region; did you mean eu-west-1a?'],
    [
      ['check', '-', '--zones', 'eu-west-1x'],
      '--zones: "eu-west-1x" does not exist; the region has eu-west-1a, eu-west-1b, eu-west-1c',
    ],
    [['check', '-', '--region', 'Ireland'], '--region: "Ireland" is not an AWS region; write for example eu-west-1'],
    [['check', '-', '--zones', 'a,b'], '--zones: "a" is not in the region us-east-1; write us-east-1a'],
    [['check', '-', '--zones', 'eu-west-1a,eu-west-2a'], 'write --region eu-west-1, or zones such as us-east-1a'],
    [['check', '-', '--zones', ','], '--zones: "," names no zone'],
    [
      ['check', '-', '--karpenter-version', 'latest'],
      '--karpenter-version: unsupported version "latest"; write a version from 1.0.0 to',
    ],
    [
      ['check', '-', '--karpenter-version', '1.99'],
      '--karpenter-version: unsupported version "1.99"; write a version from 1.0.0 to',
    ],
    [['check', '-', '--crds', '/nowhere'], '--crds: /nowhere: no such file or folder'],
    [
      ['check', '-', '--spot-price-ratio', '0'],
      '--spot-price-ratio: "0" is not a positive number; write for example 0.4',
    ],
    [
      ['check', '-', '--vm-memory-overhead-percent', '7.5'],
      '--vm-memory-overhead-percent: "7.5" is not a fraction from 0 to below 1; write 0.075',
    ],
    [
      ['check', '-', '--reserved-enis', 'one'],
      '--reserved-enis: "one" is not a number of network interfaces; write for example 1',
    ],
    [
      ['check', '-', '--preference-policy', 'respect'],
      '--preference-policy: unknown value "respect"; did you mean "Respect"?',
    ],
    [
      ['check', '-', '--ignore-dra-requests', 'yes'],
      '--ignore-dra-requests: "yes" is not a boolean; write true or false',
    ],
    [
      ['check', '-', '--feature-gates', 'nodeOverlay=true'],
      '--feature-gates: unknown feature gate "nodeOverlay"; did you mean "NodeOverlay"?',
    ],
    [
      ['check', '-', '--feature-gates', 'NodeOverlay'],
      '--feature-gates: "NodeOverlay" does not set the gate on or off; write NodeOverlay=true or NodeOverlay=false',
    ],
    [
      ['check', '-', '--format', 'yaml'],
      '--format: unknown value "yaml"; write text, json, markdown, html, sarif, unix, codequality, opencost or opencost-csv',
    ],
    [
      ['check', '-', '--fail-on', 'info'],
      '--fail-on: unknown value "info"; write error, warning, unevaluated or never',
    ],
    [['check', '-', '--colour'], "unknown option '--colour'"],
    [['check', '-', '--settings', '/nowhere/values.yaml'], '/nowhere/values.yaml: cannot be read'],
    [['check', '-', '--output', '/nowhere/verdict.json'], '--output: cannot be written'],
    [['chek', '-'], "unknown command 'chek'"],
    [[], 'Usage: karpenter-constructs'],
  ])('%j exit with 2 and say what to write', async (args, message) => {
    const { code, out, err } = await run(args, GOOD);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test.each([
    ['settings: [', /:1:12: invalid YAML/],
    ['settings: 3', /:1:11: settings must be an object, got 3/],
    ['karpenter: { settings: {} }', /there is no key settings; move everything under karpenter: to the top level/],
    [
      'settings:\n  preferencePolicy: respect',
      /:2:21: settings.preferencePolicy has the invalid value "respect"; write Respect or Ignore/,
    ],
    [
      'settings:\n  reservedENIs: "1.5"',
      /:2:17: settings.reservedENIs has the invalid value "1.5"; write a number of network interfaces/,
    ],
    [
      'settings:\n  featureGates: { nodeOverlay: "on" }',
      /:2:32: settings.featureGates.nodeOverlay has the invalid value "on"; write true or false/,
    ],
    [
      'settings:\n  vmMemoryOverheadPercent: 7.5',
      /:2:28: settings.vmMemoryOverheadPercent has the invalid value 7.5; write a fraction such as 0.075/,
    ],
  ])('settings %j are rejected', async (text, message) => {
    const file = join(folder, 'bad-values.yaml');
    writeFileSync(file, text);
    const { code, err } = await run(['check', '-', '--settings', file], GOOD);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe('help', () => {
  test.each([['--help'], ['check', '--help'], ['instance-types', '--help'], ['rules', '--help']])(
    '%s %s prints examples and exits with 0',
    async (...args) => {
      const { code, out } = await run(args);
      expect(code).toBe(0);
      expect(out).toContain('Examples:\n  karpenter-constructs ');
    },
  );

  test.each([
    ['--help'],
    ['check', '--help'],
    ['explain', '--help'],
    ['instance-types', '--help'],
    ['convert', '--help'],
    ['rules', '--help'],
  ])('of %s %s breaks no word in a terminal with 80 columns', async (...args) => {
    const [text] = (await run(args)).out.split('\nExamples:');
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('prints the version', async () => {
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

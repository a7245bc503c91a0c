import { writeFileSync } from 'fs';
import { join } from 'path';
import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const GOOD = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n');
const folder = folderOf({});

describe('arguments that cannot be used', () => {
  test.each([
    [['check'], "missing required argument 'path'"],
    [['check', '-', '--region', 'eu-west-1a'], 'not a region, got "eu-west-1a"; write eu-west-1'],
    [['check', '-', '--region', 'Ireland'], 'not a region, got "Ireland"; write for example eu-west-1'],
    [['check', '-', '--zones', 'a,b'], '--zones: a zone that is not in us-east-1, got "a"; write us-east-1a'],
    [['check', '-', '--zones', 'eu-west-1a,eu-west-2a'], 'write --region eu-west-1, or zones such as us-east-1a'],
    [['check', '-', '--zones', ','], 'no zone, got ","'],
    [['check', '-', '--karpenter-version', 'latest'], 'not a known version, got "latest"; write one from 1.0.0 to'],
    [['check', '-', '--karpenter-version', '1.99'], 'not a known version, got "1.99"; write one from 1.0.0 to'],
    [['check', '-', '--crds', '/nowhere'], '--crds: /nowhere: there is no such file or folder'],
    [['check', '-', '--spot-price-ratio', '0'], 'not a positive number, got "0"; write for example 0.4'],
    [['check', '-', '--vm-memory-overhead-percent', '7.5'], 'not a fraction from 0 to below 1, got "7.5"; write 0.075'],
    [['check', '-', '--reserved-enis', 'one'], 'not a number of network interfaces, got "one"; write for example 1'],
    [['check', '-', '--preference-policy', 'respect'], 'Allowed choices are Respect, Ignore'],
    [['check', '-', '--ignore-dra-requests', 'yes'], 'neither true nor false, got "yes"; write true or false'],
    [['check', '-', '--feature-gates', 'nodeOverlay=true'], 'no feature gate of Karpenter, got "nodeOverlay"; write NodeOverlay'],
    [['check', '-', '--feature-gates', 'NodeOverlay'], 'neither on nor off, got "NodeOverlay"; write NodeOverlay=true or NodeOverlay=false'],
    [['check', '-', '--format', 'yaml'], 'Allowed choices are text, json, markdown, html, sarif'],
    [['check', '-', '--fail-on', 'info'], 'Allowed choices are error, warning, never'],
    [['check', '-', '--colour'], "unknown option '--colour'"],
    [['check', '-', '--settings', '/nowhere/values.yaml'], '/nowhere/values.yaml: cannot be read'],
    [['check', '-', '--output', '/nowhere/verdict.json'], '--output: cannot be written'],
    [['chek', '-'], "unknown command 'chek'"],
    [[], 'Usage: karpenter-constructs'],
  ])('%j end with 2 and say what to write', async (args, message) => {
    const { code, out, err } = await run(args, GOOD);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test.each([
    ['settings: [', /:1:12: not YAML/],
    ['settings: 3', /:1:11: settings must be an object, got 3/],
    ['karpenter: { settings: {} }', /there is no key settings; move what is under karpenter: to the top/],
    ['settings:\n  preferencePolicy: respect', /:2:21: settings.preferencePolicy cannot be this, got "respect"; write Respect or Ignore/],
    ['settings:\n  reservedENIs: "1.5"', /:2:17: settings.reservedENIs cannot be this, got "1.5"; write a number of network interfaces/],
    ['settings:\n  featureGates: { nodeOverlay: "on" }', /:2:32: settings.featureGates.nodeOverlay cannot be this, got "on"; write true or false/],
    ['settings:\n  vmMemoryOverheadPercent: 7.5', /:2:28: settings.vmMemoryOverheadPercent cannot be this, got 7.5; write a fraction such as 0.075/],
  ])('settings %j are refused', async (text, message) => {
    const file = join(folder, 'bad-values.yaml');
    writeFileSync(file, text);
    const { code, err } = await run(['check', '-', '--settings', file], GOOD);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe('help', () => {
  test.each([['--help'], ['check', '--help'], ['instance-types', '--help'], ['rules', '--help']])('of %s teaches with examples and ends with 0', async (...args) => {
    const { code, out } = await run(args);
    expect(code).toBe(0);
    expect(out).toContain('Examples:\n  karpenter-constructs ');
  });

  test.each([['--help'], ['check', '--help'], ['explain', '--help'], ['instance-types', '--help'], ['convert', '--help'], ['rules', '--help']])(
    'of %s %s breaks no word in a terminal of 80 columns', async (...args) => {
      const [text] = (await run(args)).out.split('\nExamples:');
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    });

  test('tells the version', async () => {
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { KarpenterAssertions } from '../../src/assertions';
import { accountCatalogText } from '../../src/catalog/account';
import { VerdictOptions } from '../../src/plugins';
import { madeCatalog } from '../catalog/account/answers';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const on = (options: VerdictOptions) =>
  KarpenterAssertions.fromYaml(
    [NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL)].join('---\n'),
    options,
  );

test.each<[string, VerdictOptions, string]>([
  ['an unknown region', { region: 'eu-west' }, 'region: not an AWS region, got "eu-west"; write for example eu-west-1'],
  ['a misspelt region', { region: 'us-est-1' }, 'region: not an AWS region, got "us-est-1"; write us-east-1'],
  ['a zone as region', { region: 'eu-west-1a' }, 'region: not an AWS region, got "eu-west-1a"; write eu-west-1'],
  [
    'a region that is known only at deployment',
    { region: '${Token[AWS.Region.4]}' },
    'region: not an AWS region, got "${Token[AWS.Region.4]}"; write for example eu-west-1',
  ],
  [
    'an empty list of zones',
    { zones: [] },
    'zones: must name at least one zone, got none; omit it to use the zones of the region',
  ],
  [
    'only the letter of a zone',
    { region: 'eu-west-1', zones: ['b'] },
    'zones: not a zone of eu-west-1, got "b"; write eu-west-1b',
  ],
  [
    'a zone of another region',
    { region: 'us-east-1', zones: ['us-east-1a', 'eu-west-1a'] },
    'zones: not a zone of us-east-1, got "eu-west-1a"; write region: eu-west-1, or zones such as us-east-1a',
  ],
  [
    'zones of two regions',
    { zones: ['eu-west-1a', 'us-east-1a'] },
    'zones: not a zone of eu-west-1, got "us-east-1a"; write zones such as eu-west-1a',
  ],
  [
    'a zone name as zone id',
    { zones: ['eu-west-1a'], zoneIds: { 'eu-west-1a': 'eu-west-1b' } },
    'zoneIds: not a zone id, got "eu-west-1b"; write for example euw1-az3',
  ],
  [
    'a region without prices to take prices from',
    { pricesFrom: 'eu-west-99' },
    'pricesFrom: a region without known prices, got "eu-west-99"; write for example eu-central-1',
  ],
  [
    'a percentage instead of a fraction',
    { vmMemoryOverheadPercent: 7.5 },
    'vmMemoryOverheadPercent: not a fraction below 1, got 7.5; write for example 0.075',
  ],
])('rejects %s', (_, options, message) => {
  expect(() => on(options)).toThrow(new Error(message));
});

test.each<[string, VerdictOptions]>([
  ['zones without a region', { zones: ['eu-west-1a', 'eu-west-1b'] }],
  ['a Local Zone of the region', { region: 'us-west-2', zones: ['us-west-2a', 'us-west-2-lax-1a'] }],
  ['placeholder zones of the CDK', { region: 'us-west-2', zones: ['dummy1a', 'dummy1b', 'dummy1c'] }],
  ['a region of another partition', { region: 'us-gov-west-1', zones: ['us-gov-west-1a'] }],
])('accepts %s', (_, options) => {
  expect(() => on(options).hasAllPodsScheduled()).not.toThrow();
});

test('zone ids say which instance types a zone offers', () => {
  const pods = (zoneId: string) =>
    KarpenterAssertions.fromYaml([NODE_CLASS, nodePool(['m7i.large']), deployment('web', 1, SMALL)].join('---\n'), {
      region: 'us-east-1',
      zones: ['us-east-1e'],
      zoneIds: { 'us-east-1e': zoneId },
    });
  expect(() => pods('use1-az1').hasAllPodsScheduled()).not.toThrow();
  // The oldest zone of the region has few types.
  expect(() => pods('use1-az3').hasAllPodsScheduled()).toThrow(
    'expected every pod to have a node, got 1 of 1 pod without one',
  );
});

describe('catalogFile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-file-'));
  const [catalogFile, cutOff] = ['account.json', 'cut.json'].map((name) => join(folder, name));
  writeFileSync(catalogFile, accountCatalogText(madeCatalog()));
  writeFileSync(cutOff, accountCatalogText(madeCatalog()).slice(0, 500));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('gives region, zones and prices of the account', () => {
    expect(() => on({ catalogFile }).hasHourlyCostAtMost(0.11)).not.toThrow();
    expect(() => on({ catalogFile }).hasHourlyCostAtMost(0.109)).toThrow('0.11');
  });

  test('is refused if it is cut off', () => {
    expect(() => on({ catalogFile: cutOff })).toThrow(
      `${cutOff}: is cut off; make the file again with karpenter-constructs catalog update --region eu-west-1`,
    );
  });

  test('is refused if it is of another region', () => {
    expect(() => on({ catalogFile, region: 'us-east-1' }).hasAllPodsScheduled()).toThrow(
      'the catalogue is of eu-west-1, but the cluster is in us-east-1; make one with karpenter-constructs catalog update --region us-east-1',
    );
  });
});

import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeCatalog } from './answers';
import { Catalog } from '../../../src/catalog';
import {
  accountCatalogText,
  CatalogProblem,
  parseRegionCatalog,
  readRegionCatalog,
} from '../../../src/catalog/account';

const TEXT = accountCatalogText(madeCatalog());
const AGAIN = 'make the file again with karpenter-constructs catalog update --region eu-west-1';

type Mutable = Record<string, any>;

/** The message for a catalogue that is changed in one place. */
function problemOf(change: (catalog: Mutable) => void): string {
  const catalog = JSON.parse(TEXT);
  change(catalog);
  return problemOfText(JSON.stringify(catalog));
}

function problemOfText(text: string): string {
  try {
    parseRegionCatalog(text, 'catalog.json');
    return '';
  } catch (error) {
    if (error instanceof CatalogProblem) return error.message;
    throw error;
  }
}

describe('reading a catalogue', () => {
  test('returns what was written', () => {
    expect(parseRegionCatalog(TEXT, 'catalog.json')).toEqual(madeCatalog());
  });

  test('writes one column a line', () => {
    expect(TEXT.split('\n')).toContain('"offered":[7,7,2],');
  });

  // Every length at which a copy or a download can stop.
  test('refuses a file that is cut off at any length', () => {
    for (let length = 1; length < TEXT.length - 1; length += 97) {
      expect(problemOfText(TEXT.slice(0, length))).toMatch(
        /^catalog\.json: is cut off; make the file again with karpenter-constructs catalog update --region (eu-west-1|<region>)$/,
      );
    }
  });

  test.each([
    ['an empty file', '', /^catalog\.json: is empty; make the file again/],
    ['text', 'Dear all,', /^catalog\.json: is not JSON; make the file again/],
    ['a list', '[]', /^catalog\.json: is not a catalogue, because it is not a JSON object; /],
    ['another JSON file', '{"name":"x"}', /^catalog\.json: is not a catalogue, because it has no schemaVersion; /],
  ])('refuses %s', (_, text, message) => {
    expect(problemOfText(text)).toMatch(message);
  });

  const NAN_PRICE = 'has the value "0.1" of pricePerVcpu for m5.large';
  test.each<[string, string, (catalog: Mutable) => void]>([
    [
      'another schema version',
      'has schema version "1", and this release reads version "2"',
      (catalog) => {
        catalog.schemaVersion = '1';
      },
    ],
    [
      'no date',
      'has no valid date (made is "yesterday")',
      (catalog) => {
        catalog.made = 'yesterday';
      },
    ],
    [
      'a day that does not exist',
      'has no valid date (made is "2026-02-30")',
      (catalog) => {
        catalog.made = '2026-02-30';
      },
    ],
    [
      'figures of another region',
      'has figures of "eu-west-2" in a catalogue of eu-west-1',
      (catalog) => {
        catalog.figures.region = 'eu-west-2';
      },
    ],
    [
      'no types',
      'has no instance types',
      (catalog) => {
        catalog.types.names = [];
      },
    ],
    [
      'a type twice',
      'has "m5.large" twice',
      (catalog) => {
        catalog.types.names[1] = 'm5.large';
      },
    ],
    [
      'a strange type',
      'has an instance type called "<b>"',
      (catalog) => {
        catalog.types.names[1] = '<b>';
      },
    ],
    [
      'a missing column',
      'has no column branchInterfaces',
      (catalog) => {
        delete catalog.types.facts.branchInterfaces;
      },
    ],
    [
      'a short column',
      'has 2 values of vcpus for 3 instance types',
      (catalog) => {
        catalog.types.facts.vcpus.pop();
      },
    ],
    [
      'no vCPUs',
      'has the value 0 of vcpus for m5.large',
      (catalog) => {
        catalog.types.facts.vcpus[0] = 0;
      },
    ],
    [
      'a fraction of memory',
      'has the value 1.5 of memoryMiB for m5.xlarge',
      (catalog) => {
        catalog.types.facts.memoryMiB[1] = 1.5;
      },
    ],
    [
      'a code without a value',
      'has the value 9 of kubernetes.io/arch for m5.large',
      (catalog) => {
        catalog.types.labels[0].codes[0] = 9;
      },
    ],
    [
      'a missing label',
      'has no label kubernetes.io/arch',
      (catalog) => {
        catalog.types.labels.shift();
      },
    ],
    [
      'a zone of another region',
      'has the zone "us-east-1a", which is not in eu-west-1',
      (catalog) => {
        catalog.figures.zoneNames[0] = 'us-east-1a';
      },
    ],
    [
      'a zone without an id',
      'has zones without a zone ID',
      (catalog) => {
        delete catalog.zones['eu-west-1a'];
      },
    ],
    [
      'an unknown zone in a mask',
      'has the value 8 of offered for m5.large',
      (catalog) => {
        catalog.figures.offered[0] = 8;
      },
    ],
    [
      'a negative price',
      'has the on-demand price -0.107 USD per hour for m5.large, which cannot be right',
      (catalog) => {
        catalog.figures.pricePerVcpu[0] = -0.0535;
      },
    ],
    [
      'a price of zero',
      'has the on-demand price 0 USD per hour for m5.large, which cannot be right',
      (catalog) => {
        catalog.figures.pricePerVcpu[0] = 0;
      },
    ],
    [
      'an absurd price',
      'has the on-demand price 428 USD per hour for m5.xlarge, which cannot be right',
      (catalog) => {
        catalog.figures.pricePerVcpu[1] = 107;
      },
    ],
    [
      'a price that is a text',
      NAN_PRICE,
      (catalog) => {
        catalog.figures.pricePerVcpu[0] = '0.1';
      },
    ],
    [
      'no price at all',
      'has no on-demand price',
      (catalog) => {
        catalog.figures.pricePerVcpu.fill(null);
      },
    ],
    [
      'a negative spot price',
      'has the spot price -0.04 USD per hour for m5.large in euw1-az3, which cannot be right',
      (catalog) => {
        catalog.figures.spotPrices['euw1-az3'][0] = -0.04;
      },
    ],
    [
      'a spot price above the highest bid',
      'has the spot price 1.2 USD per hour for m5.large in euw1-az3, which cannot be right',
      (catalog) => {
        catalog.figures.spotPrices['euw1-az3'][0] = 1.2;
      },
    ],
    [
      'no spot prices of a zone',
      'has no column spotPrices of euw1-az3',
      (catalog) => {
        delete catalog.figures.spotPrices['euw1-az3'];
      },
    ],
    [
      'an unknown currency',
      'has prices in "$", which is not a currency',
      (catalog) => {
        catalog.figures.currency = '$';
      },
    ],
  ])('refuses %s', (_, message, change) => {
    expect(problemOf(change)).toBe(`catalog.json: ${message}; ${AGAIN}`);
  });

  test('refuses a region that does not exist', () => {
    expect(
      problemOf((catalog) => {
        catalog.region = 'eu-west-9';
      }),
    ).toBe(
      'catalog.json: is of a region that does not exist ("eu-west-9"); make the file again with karpenter-constructs catalog update --region <region>',
    );
  });

  test('refuses a file that is too large, without reading it, and one that is missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
    const file = join(folder, 'large.json');
    writeFileSync(file, '');
    truncateSync(file, 20 * 1024 * 1024);
    expect(() => readRegionCatalog(file)).toThrow(
      'cannot be read, it is larger than 16 MiB; name a file that karpenter-constructs catalog update has written',
    );
    expect(() => readRegionCatalog(join(folder, 'missing.json'))).toThrow(
      'name a file that karpenter-constructs catalog update has written',
    );
    rmSync(folder, { recursive: true });
  });
});

describe('choosing a catalogue', () => {
  const load = (options: Parameters<typeof Catalog.load>[0]) => Catalog.load({ catalogs: [madeCatalog()], ...options });

  test('takes the region of the only one if no region is given', () => {
    expect(load({})).toMatchObject({ region: 'eu-west-1', zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] });
  });

  test('refuses a cluster in another region', () => {
    expect(() => load({ region: 'eu-central-1' })).toThrow(
      'the catalogue is of eu-west-1, but the cluster is in eu-central-1; make one with karpenter-constructs catalog update --region eu-central-1',
    );
  });

  test('takes the one of the region, if there are several', () => {
    const other = { ...madeCatalog(), region: 'eu-west-2' };
    expect(load({ catalogs: [other, madeCatalog()], region: 'eu-west-1' }).region).toBe('eu-west-1');
    expect(() => load({ catalogs: [other, madeCatalog()] })).toThrow(
      'there are catalogues of eu-west-2, eu-west-1, and nothing says in which of these regions the cluster is; name its region',
    );
  });

  test('refuses zones that the account does not have', () => {
    expect(() => load({ zones: ['eu-west-1a', 'eu-west-1d'] })).toThrow(
      'the catalogue of eu-west-1 of 2026-11-20 has no zone eu-west-1d, only eu-west-1a, eu-west-1b, eu-west-1c; name zones of that account, or make the catalogue again',
    );
  });

  test('refuses the catalogue of an account with other zone ids', () => {
    expect(() => load({ zoneIds: { 'eu-west-1a': 'euw1-az1' } })).toThrow(
      'the catalogue of eu-west-1 of 2026-11-20 is of another account: its eu-west-1a is euw1-az3, not euw1-az1; ' +
        "make one with karpenter-constructs catalog update --region eu-west-1, with credentials of the cluster's account",
    );
  });
});

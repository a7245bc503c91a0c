import fc from 'fast-check';
import { parseRegionCatalog } from '../../../src/catalog/account';
import { CsvRows } from '../../../src/catalog/public/csv-rows';

const CATALOG = {
  schemaVersion: '2',
  source: 'public',
  made: '2026-11-28',
  region: 'eu-west-1',
  currency: 'USD',
  pricesOf: '2026-11-20',
  onDemand: { 'm5.large': 0.11, 'x9.large': 0.2 },
  bareMetal: {},
  spotOf: '2026-11-26',
  spot: { 'm5.large': [38, 1] },
};

describe('a public catalogue', () => {
  test('is read as it was written', () => {
    expect(parseRegionCatalog(JSON.stringify(CATALOG), 'a.json')).toEqual(CATALOG);
  });

  test.each<[object, string]>([
    [{ made: 'today' }, 'has no valid dates (made is "today", pricesOf is "2026-11-20")'],
    [{ pricesOf: '2026-02-30' }, 'has no valid dates'],
    [{ region: 'eu-west-9' }, 'is of a region that does not exist ("eu-west-9")'],
    [{ currency: 'euro' }, 'has prices in "euro", which is not a currency'],
    [{ onDemand: undefined }, 'has no prices'],
    [{ onDemand: {} }, 'has no on-demand price'],
    [{ onDemand: { 'm5.large': 400 } }, 'has the on-demand price 400 USD per hour for m5.large, which cannot be right'],
    [{ onDemand: { 'm5.large': -1 } }, 'has the on-demand price -1 USD'],
    [{ onDemand: { m5: 1 } }, 'has an instance type called "m5"'],
    [{ bareMetal: { 'm5.metal': '5' } }, 'has the on-demand price "5" USD'],
    [{ spotOf: undefined }, 'has no spot prices, or no valid date of them (missing)'],
    [{ spot: { 'm5.large': [0, 1] } }, 'has the spot figures [0,1] for "m5.large"'],
    [{ spot: { 'm5.large': [38, 5] } }, 'has the spot figures [38,5] for "m5.large"'],
  ])('with %j is refused with a remedy', (changed, problem) => {
    expect(() => parseRegionCatalog(JSON.stringify({ ...CATALOG, ...changed }), 'a.json')).toThrow(
      `a.json: ${problem}`,
    );
    expect(() => parseRegionCatalog(JSON.stringify({ ...CATALOG, ...changed }), 'a.json')).toThrow(
      /; make the file again with karpenter-constructs catalog update --public --region /,
    );
  });
});

test('rows of CSV are the same, however they are cut into parts', () => {
  const field = fc.oneof(fc.stringMatching(/^[a-z 0-9$]*$/), fc.stringMatching(/^[a-z,"\n ]*$/));
  const table = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), fc.constantFrom('\n', '\r\n'), (rows, size, end) => {
      const shown = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const text = rows.map((fields) => `${fields.map(shown).join(',')}${end}`).join('');
      const read: string[][] = [];
      const reader = new CsvRows((fields) => void read.push([...fields]));
      for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
      expect(read).toEqual(rows);
      expect(reader.isComplete).toBe(true);
    }),
    { seed: 48, numRuns: 500 },
  );
});

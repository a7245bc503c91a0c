import { madeCatalog } from './answers';
import { compareWithEmbedded } from '../../../src/catalog/account';

const price = (instanceType: string, value: number) => ({ instanceType, price: value, currency: 'USD' });

describe('what a catalogue changes', () => {
  test('lists new and gone types', () => {
    const { newTypes, goneTypes } = compareWithEmbedded(madeCatalog());
    expect(newTypes).toEqual(['z9x.large']);
    expect(goneTypes).toContain('c5.large');
    expect(goneTypes).not.toContain('m5.large');
  });

  test('lists dearer and cheaper types, largest change first, and counts the others', () => {
    const changes = compareWithEmbedded(
      madeCatalog({ products: [price('m5.large', 0.11), price('m5.xlarge', 0.428)] }),
    );
    expect(changes.dearer).toEqual([
      { instanceType: 'm5.xlarge', before: 0.214, after: 0.428 },
      { instanceType: 'm5.large', before: 0.107, after: 0.11 },
    ]);
    expect(
      compareWithEmbedded(madeCatalog({ products: [price('m5.large', 0.1), price('m5.xlarge', 0.214)] })),
    ).toMatchObject({
      dearer: [],
      cheaper: [{ instanceType: 'm5.large' }],
      unchangedPrices: 1,
      withoutPrice: ['z9x.large'],
    });
  });

  test('lists types in other zones, and zones', () => {
    const offerings = [
      ['m5.large', 'eu-west-1a'],
      ['m5.xlarge', 'eu-west-1a'],
      ['m5.xlarge', 'eu-west-1b'],
      ['m5.xlarge', 'eu-west-1c'],
    ].map(([InstanceType, Location]) => ({ InstanceType, Location }));
    const zones = [
      ['eu-west-1a', 'euw1-az3'],
      ['eu-west-1b', 'euw1-az1'],
      ['eu-west-1c', 'euw1-az2'],
      ['eu-west-1d', 'euw1-az4'],
    ].map(([ZoneName, ZoneId]) => ({ ZoneName, ZoneId, ZoneType: 'availability-zone' }));
    expect(compareWithEmbedded(madeCatalog({ offerings, zones }))).toMatchObject({
      movedTypes: ['m5.large'],
      newZones: ['euw1-az4'],
      goneZones: [],
    });
  });

  test('compares nothing if no data of the region are embedded', () => {
    const zones = [{ ZoneName: 'ap-southeast-6a', ZoneId: 'apse6-az1', ZoneType: 'availability-zone' }];
    const made = madeCatalog({
      region: 'ap-southeast-6',
      zones,
      offerings: [{ InstanceType: 'm5.large', Location: 'ap-southeast-6a' }],
    });
    expect(compareWithEmbedded(made)).toEqual({
      region: 'ap-southeast-6',
      made: '2026-11-20',
      currency: 'USD',
      instanceTypes: 1,
      zones: [['ap-southeast-6a', 'apse6-az1']],
      withoutPrice: [],
      newTypes: [],
      goneTypes: [],
      newZones: [],
      goneZones: [],
      movedTypes: [],
      dearer: [],
      cheaper: [],
      unchangedPrices: 0,
    });
  });
});

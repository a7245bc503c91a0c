import { withClusterRegion } from '../../../src/validation/cluster/cluster-region';
import { ManifestModel } from '../../../src/validation/manifest/model';

const modelWith = (...regions: string[]) =>
  ({
    cluster: {
      nodes: regions.map((region) => ({ labels: { 'topology.kubernetes.io/region': region } })),
      nodeClassStatuses: new Map(),
    },
  }) as unknown as ManifestModel;

describe('the region of a cluster', () => {
  test('is that of its nodes', () => {
    expect(withClusterRegion({}, modelWith('eu-west-1')).region).toBe('eu-west-1');
  });

  test('is never a label that names no region of AWS', () => {
    expect(withClusterRegion({}, modelWith('\u202e', 'fsn1', 'eu-west-1')).region).toBe('eu-west-1');
    expect(withClusterRegion({}, modelWith('\u202e')).region).toBeUndefined();
  });

  test('is the one of the options, if they name one', () => {
    expect(withClusterRegion({ region: 'us-east-1' }, modelWith('eu-west-1')).region).toBe('us-east-1');
  });
});

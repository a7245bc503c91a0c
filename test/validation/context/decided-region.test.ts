import { readSession } from '../../../src/validation/context/check-session';
import { decidedRegion } from '../../../src/validation/context/decided-region';
import { ManifestModel } from '../../../src/validation/manifest';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

/** The model of these manifests, and how often its workloads are read. */
function countedModel(...documents: string[]): { readonly model: ManifestModel; readonly reads: () => number } {
  const { model } = readSession(manifests(...documents), {});
  let reads = 0;
  const counted = Object.defineProperty({ ...model }, 'workloads', {
    get: () => {
      reads += 1;
      return model.workloads;
    },
  });
  return { model: counted, reads: () => reads };
}

test('reads the workloads only at the first of many questions about the region', () => {
  const zone = '      nodeSelector: { topology.kubernetes.io/zone: eu-west-1a }\n';
  const { model, reads } = countedModel(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL, zone));
  expect(decidedRegion({}, model)).toMatchObject({ region: 'eu-west-1', by: 'manifests' });
  const first = reads();
  expect(decidedRegion({ region: 'eu-west-1' }, model)).toMatchObject({ region: 'eu-west-1', by: 'options' });
  expect(decidedRegion({}, model).named).toEqual(['eu-west-1']);
  expect(reads()).toBe(first);
});

test('takes the region from the zones of a NodePool that Karpenter would reject', () => {
  const pool = `${nodePool(['m5.large']).replace('1000Gi', '1600GB')}
      - { key: topology.kubernetes.io/zone, operator: In, values: [eu-west-1a, eu-west-1b] }
`;
  const { model } = readSession(manifests(NODE_CLASS, pool), {});
  expect(model.nodePools[0].spec).toBeUndefined();
  expect(decidedRegion({}, model)).toMatchObject({ region: 'eu-west-1', by: 'manifests' });
});

import { check, Root, SourceFile } from '../../../src/validation';
import { withRegionElsewhere } from '../../../src/validation/manifest/source/region-elsewhere';
import { nodeClass, nodePool } from '../rules/judge';
import { deployment, SMALL } from '../setup';

const POOLS: SourceFile = { path: 'pools.yaml', text: [nodePool('default'), nodeClass('default')].join('\n---\n') };
const PLAIN = deployment('web', 2, SMALL);
const inRegion = (region: string) =>
  `${PLAIN}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: 111122223333.dkr.ecr.${region}.amazonaws.com/a }\n`;
const values = (region: string) => `controller:\n  env:\n    - name: AWS_REGION\n      value: ${region}\n`;
const application = (chart: string) =>
  `kind: Application\nspec:\n  source:\n    chart: ${chart}\n    helm:\n      values: |\n${values('eu-north-1').replace(/^/gm, '        ')}\n`;

function root(name: string, text: string, pools = POOLS): Root {
  return { name, kind: 'files', sources: [{ path: `${name}/a.yaml`, text }, pools], notes: [] };
}

/** The region that the plan of each root assumes. Undefined stands for the default. */
function regions(roots: readonly Root[], files: readonly SourceFile[] = []) {
  return withRegionElsewhere(roots, files).map(
    ({ sources }) =>
      check(sources)
        .assumptions.join('\n')
        .match(/the region is (\S+),/)?.[1],
  );
}

describe('the region of a root', () => {
  test('is that of a root with the same NodePools, if it names none', () => {
    expect(regions([root('x', inRegion('eu-west-1')), root('y', PLAIN)])).toEqual(['eu-west-1', 'eu-west-1']);
  });

  test('is not that of a root with other NodePools', () => {
    const [, other] = regions([root('x', inRegion('eu-west-1')), root('y', PLAIN, { ...POOLS, path: 'other.yaml' })]);
    expect(other).toBeUndefined();
  });

  test('is not guessed if other roots name several', () => {
    const all = [root('x', inRegion('eu-west-1')), root('z', inRegion('us-west-2')), root('y', PLAIN)];
    expect(regions(all)).toEqual(['eu-west-1', 'us-west-2', undefined]);
  });

  test.each<[string, SourceFile]>([
    ['an Application', { path: 'apps/a.yaml', text: application('karpenter') }],
    ['a values file', { path: 'addons/karpenter/values.yaml', text: values('eu-north-1') }],
  ])("is AWS_REGION of Karpenter's chart: %s", (_, file) => {
    expect(regions([root('y', PLAIN)], [file])).toEqual(['eu-north-1']);
  });

  test.each<[string, SourceFile]>([
    ['another chart', { path: 'apps/a.yaml', text: application('shop') }],
    ['values of another program', { path: 'addons/shop/values.yaml', text: values('eu-north-1') }],
    ['a region that does not exist', { path: 'karpenter/values.yaml', text: values('moon-1') }],
  ])('is not that of %s', (_, file) => {
    expect(regions([root('y', PLAIN)], [file])).toEqual([undefined]);
  });
});

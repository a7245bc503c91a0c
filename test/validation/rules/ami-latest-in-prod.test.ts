import { judge, judgeStack, nodeClass, nodePool } from './helper';
import { applied, OPEN } from './stack';
import { AmiLatestInProd } from '../../../src/validation/rules/ami-latest-in-prod';

const rule = new AmiLatestInProd();
const withTerm = (term: object) => nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: [term] });
const LATEST = withTerm({ alias: 'al2023@latest' });
const STATE = ['pass EC2NodeClass/default'];

describe('KARP-905 ami-latest-in-prod', () => {
  test.each<[string, object]>([
    ['a release', { alias: 'al2023@v20250915' }],
    ['an image', { id: 'ami-0123456789abcdef0' }],
    ['the name of an image', { name: 'golden-7' }],
    ['an alias that is no text', { alias: { of: 'al2023@latest' } }],
  ])('passes with %s', (_, term) => {
    expect(judge(rule, [withTerm(term), nodePool('default')]).states).toEqual(STATE);
  });

  test('warns of the newest release', () => {
    const [finding] = judge(rule, [LATEST, nodePool('default')]).findings;
    expect(finding).toMatchObject({ path: ['spec', 'amiSelectorTerms', 0], evidence: { nodes: 0, nodePools: ['default'] } });
    expect(finding.message).toBe('takes the newest image of al2023@latest: with each release all of its nodes drift and are replaced, and nobody has tried it before');
  });

  test('warns of a name that many images have', () => {
    expect(judge(rule, [withTerm({ name: 'golden-*' })]).findings[0].message).toContain('the newest image of golden-*');
  });

  test.each([
    [{ alias: 'al2023@latest' }, 'name a release, as in al2023@v20250915'],
    [{ alias: 'bottlerocket@latest' }, 'name a release, as in bottlerocket@v1.43.0'],
    // The API server takes no release of Windows.
    [{ alias: 'windows2022@latest' }, 'select one image by its id or its whole name: aliases of Windows take no release'],
    [{ name: 'golden-*' }, 'select one image by its id or its whole name'],
  ])('says how %j is held fast', (term, advice) => {
    const [{ remedy }] = judge(rule, [nodeClass('default', { amiFamily: undefined, amiSelectorTerms: [term] })]).findings;
    expect(remedy).toBe(`${advice}, and move it on when the next one is tried; or give its NodePools a budget for the reason Drifted`);
  });

  test('says how many nodes there are, where they are planned', () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, resources: { requests: { cpu: 1 } } }] }';
    expect(judge(rule, [LATEST, nodePool('default'), pod]).findings[0].message).toContain('its 1 node drifts and is replaced');
  });

  test('leaves it to a NodePool with a budget for drift', () => {
    const paced = (reasons: string[]) => nodePool('default', { disruption: { budgets: [{ nodes: '1', reasons }] } });
    expect(judge(rule, [LATEST, paced(['Drifted'])]).states).toEqual(STATE);
    expect(judge(rule, [LATEST, paced(['Empty'])]).findings).toHaveLength(1);
  });

  test('does not apply without a node class', () => {
    expect(judge(rule, [nodePool('default')]).outcomes).toEqual([]);
  });

  test('is not evaluated where the image is known only at deployment', () => {
    const resources = { Class: applied([JSON.parse(withTerm({ alias: OPEN }))]) };
    expect(judgeStack(rule, resources).states).toEqual(['not-evaluated EC2NodeClass/default']);
  });
});

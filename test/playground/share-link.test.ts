import { fragmentOf, stateOf } from '../../browser/playground/share-link';

const filesOf = (count: number) => Array.from({ length: count }, () => ({ name: 'a.yaml', text: 'kind: Pod\n' }));

test('a link has its files', async () => {
  const state = { files: filesOf(2), region: 'eu-west-1' };
  expect(await stateOf(await fragmentOf(state))).toEqual(state);
});

test('rejects a link with more files than the page checks, before their names are made unique', async () => {
  await expect(fragmentOf({ files: filesOf(51) }).then(stateOf)).rejects.toThrow('too long');
});

test('rejects a link with more text than the page checks', async () => {
  const files = [{ name: 'a.yaml', text: 'x'.repeat(1_000_001) }];
  await expect(fragmentOf({ files }).then(stateOf)).rejects.toThrow('too long');
});

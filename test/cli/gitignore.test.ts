import { newFolder, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const files = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.gitignore': 'dist/\n',
  'dist/all.yaml': [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n'),
  'src/web.yaml': deployment('api', 1, SMALL),
};

test('an ignored folder that is named on the command line is read', async () => {
  const folder = newFolder(files);
  const { code, out } = await run(['check', `${folder}/dist`]);
  expect([code, out.split(' on ')[0]]).toEqual([0, 'All 2 pods fit']);
});

test('an ignored folder inside of the folder on the command line is not read', async () => {
  const { out } = await run(['check', newFolder(files)]);
  expect(out).not.toContain('dist/');
  expect(out).toContain('api');
});

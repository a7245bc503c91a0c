import { join } from 'path';
import { newFolder, run } from './run';
import { isMadeLater } from '../../src/cli/input/files-made-later';
import { GitIgnore } from '../../src/cli/input/gitignore';
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

test('a file that is not there is made later if git ignores it, or a tool makes it, or it has secrets', () => {
  const folder = newFolder({
    ...files,
    '.gitignore': 'local/\n',
    'app/a.yaml.decrypted': '',
    'app/b.enc.yaml': '',
    'app/c.yaml.example': '',
  });
  const isMade = (path: string) => isMadeLater(join(folder, path), new GitIgnore([folder]));
  expect(
    ['local/x.yaml', 'app/a.yaml', 'app/b.yaml', 'app/c.yaml', 'app/db-secret.yaml', 'app/.env', 'app/tls.key'].map(
      isMade,
    ),
  ).toEqual(Array(7).fill(true));
  expect(['app/web.yaml', 'app/secretary.yaml', 'none/a.yaml'].map(isMade)).toEqual([false, false, false]);
});

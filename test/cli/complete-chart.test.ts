import { readFileSync, realpathSync, symlinkSync } from 'fs';
import { join } from 'path';
import { newFolder } from './run';
import { completeChart, writeInCopy } from '../../src/cli/programs/helm/complete-chart';

const NAMES = Array.from({ length: 10 }, (_, index) => `chart${index}`);
const DEPENDENCIES = NAMES.map((name) => `- { name: ${name}, version: 0.1.0, repository: "file://../${name}" }\n`);

test('charts that name each other are copied at most fifty times', () => {
  const folder = realpathSync(
    newFolder({
      '.git/HEAD': '',
      ...Object.fromEntries(
        NAMES.map((name) => [
          `${name}/Chart.yaml`,
          `apiVersion: v2\nname: ${name}\nversion: 0.1.0\ndependencies:\n${DEPENDENCIES.join('')}`,
        ]),
      ),
    }),
  );
  const { places, leftOut } = completeChart(join(folder, 'chart0'), realpathSync(newFolder({})), new Set());
  expect(places.size).toBe(50);
  expect(leftOut).toHaveLength(10);
});

test('a change of a copied chart replaces a link, and follows none out of the copy', () => {
  const folder = newFolder({ 'shared/pool.yaml': 'own', 'copy/templates/web.yaml': '' });
  const [copy, shared] = [join(folder, 'copy'), join(folder, 'shared')];
  symlinkSync(join(shared, 'pool.yaml'), join(copy, 'templates/pool.yaml'));
  symlinkSync(shared, join(copy, 'linked'));
  writeInCopy(copy, 'templates/pool.yaml', 'changed');
  expect(() => writeInCopy(copy, 'linked/pool.yaml', 'changed')).toThrow('leads out of the copy');
  expect(readFileSync(join(copy, 'templates/pool.yaml'), 'utf8')).toBe('changed');
  expect(readFileSync(join(shared, 'pool.yaml'), 'utf8')).toBe('own');
});

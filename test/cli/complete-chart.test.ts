import { realpathSync } from 'fs';
import { join } from 'path';
import { newFolder } from './run';
import { completeChart } from '../../src/cli/programs/helm/complete-chart';

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

import { readFileSync } from 'fs';
import { join } from 'path';

const ROOT = join(__dirname, '../..');
const text = readFileSync(join(ROOT, 'integrations/docker/Dockerfile'), 'utf8');
const stages = text.split(/^FROM /m).slice(1);
const last = stages[stages.length - 1];

test('the image is distroless, and its user is a number other than 0, as runAsNonRoot demands', () => {
  expect(last).toMatch(/^gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot\n/);
  expect(Number(/^USER (\d+)$/m.exec(last)![1])).toBeGreaterThan(0);
});

test('both stages have the same major version of Node.js, which the package supports', () => {
  const [first, second] = stages.map((stage) => Number(/^\S*?node(?:js|:)(\d+)/.exec(stage)![1]));
  expect(first).toBe(second);
  expect(first).toBeGreaterThanOrEqual(20);
});

test('the image runs the program of the package, and gets nothing except the npm tarball', () => {
  const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(last).toContain(`ENTRYPOINT ["/nodejs/bin/node", "/package/${bin['karpenter-constructs']}"]`);
  expect(text.match(/^COPY .*/gm)).toEqual(['COPY *.tgz /package.tgz', 'COPY --from=unpack /package /package']);
  expect(
    readFileSync(join(ROOT, 'integrations/docker/Dockerfile.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  ).toEqual(['*', '!*.tgz', '']);
});

import { install, restorePath } from './installed-programs';
import { newFolder, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const REPOSITORY = {
  '.git/HEAD': '',
  'pools.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
};
const CHART = { ...REPOSITORY, 'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n' };
const REMOTE = {
  ...REPOSITORY,
  'app/kustomization.yaml': 'resources: [web.yaml, "https://example.invalid/x.yaml"]\n',
  'app/web.yaml': deployment('web', 1, SMALL),
};
const PROGRAMS = [
  ['helm', CHART],
  ['kustomize', REMOTE],
] as const;
/** As `printf` takes it: clears the screen, goes to the start of the line, and changes the direction of text. */
const PRINTED = String.raw`bad\033[2J\rgood\302\233\342\200\256`;
const RAW = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/;
const IN_TEXT = String.raw`bad\x1b[2J\x0dgood\x9b\u202e`;
const IN_JSON = String.raw`bad\u001b[2J\rgood\u009b\u202e`;

afterEach(restorePath);

describe.each(PROGRAMS)('%s prints control characters, which are escaped', (program, files) => {
  test.each([
    ['text', IN_TEXT],
    ['html', IN_TEXT],
    ['json', IN_JSON],
  ])('in the reason of a failure, in a report as %s', async (format, escaped) => {
    install({ [program]: String.raw`printf 'Error: ${PRINTED}\n' >&2; exit 1` });
    const { out, err } = await run(['check', newFolder(files), '--allow-network', '--format', format]);
    expect(out + err).not.toMatch(RAW);
    expect(out + err).toContain(escaped);
  });

  test.each(['text', 'markdown', 'html', 'json', 'sarif', 'unix', 'codequality'])(
    'in the names of objects, in a report as %s',
    async (format) => {
      const manifest = deployment('web', 1, SMALL).replaceAll('web', String.raw`"bad\x1b[2J\rgood\x9b\u202e"`);
      install({ [program]: `cat <<'EOF'\n${manifest}EOF` });
      const { out, err } = await run(['check', newFolder(files), '--allow-network', '--format', format]);
      expect(out + err).not.toMatch(RAW);
      expect(out + err).toContain('good');
    },
  );
});

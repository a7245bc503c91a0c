import { newFolder, run } from './run';
import { RULES } from '../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const MANIFESTS = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL)].join('---\n');
const BROKEN = MANIFESTS.replace('name: web', 'name: breaks');
const MESSAGE = 'internal error of karpenter-constructs: TypeError: no such thing';

/** A rule with a mistake that shows for one workload. */
beforeEach(() => {
  const { check } = RULES[0];
  jest.spyOn(RULES[0] as { check: typeof check }, 'check').mockImplementation((context) => {
    if (context.model.workloads.some(({ name }) => name === 'breaks')) throw new TypeError('no such thing');
    return check.call(RULES[0], context);
  });
});
afterEach(() => jest.restoreAllMocks());

const roots = () =>
  newFolder({
    'a/kustomization.yaml': 'resources: [all.yaml]\n',
    'a/all.yaml': BROKEN,
    'b/kustomization.yaml': 'resources: [all.yaml]\n',
    'b/all.yaml': MANIFESTS,
  });

test('is a finding of its root, and the other roots are judged', async () => {
  const { code, out, err } = await run(['check', roots(), '--format', 'json']);
  const [a, b] = JSON.parse(out).roots;
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(a.verdict.findings).toMatchObject([
    {
      rule: 'KARP-001',
      severity: 'error',
      message: expect.stringContaining(MESSAGE),
      remedy: expect.stringContaining('report it'),
    },
  ]);
  expect(b.verdict.summary).toMatchObject({ scheduledPods: 1, errors: 0 });
});

test.each(['text', 'markdown', 'html', 'sarif', 'unix', 'codequality'])(
  'is a finding of the only root as %s, without a stack trace',
  async (format) => {
    const { code, out, err } = await run(['check', newFolder({ 'all.yaml': BROKEN }), '--format', format]);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out.replace(/\s+/g, ' ')).toContain(MESSAGE);
    expect(out).not.toContain('    at ');
  },
);

test('has its stack trace with --debug', async () => {
  const { err } = await run(['check', newFolder({ 'all.yaml': BROKEN }), '--debug']);
  expect(err).toMatch(/^ {2}TypeError: no such thing\n {6}at /);
});

test('leaves other roots to diff and explain', async () => {
  const folder = roots();
  const changed = newFolder({
    'a/kustomization.yaml': 'resources: [all.yaml]\n',
    'a/all.yaml': BROKEN.replace('replicas: 1', 'replicas: 2'),
    'b/kustomization.yaml': 'resources: [all.yaml]\n',
    'b/all.yaml': MANIFESTS.replace('replicas: 1', 'replicas: 2'),
  });
  const diff = await run(['diff', folder, changed, '--format', 'json']);
  expect(JSON.parse(diff.out).roots).toHaveLength(2);
  expect((await run(['explain', folder, '--pod', 'web'])).code).toBe(0);
});

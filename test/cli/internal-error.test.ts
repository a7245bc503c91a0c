import { newFolder, run } from './run';
import { Finding, RULES } from '../../src/validation';
import { checkSession } from '../../src/validation/check/check';
import { guardedSession } from '../../src/validation/check/internal-error';
import { readSession } from '../../src/validation/context/check-session';
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

test('is a finding of its root, which all other rules judge', async () => {
  const { code, out, err } = await run(['check', roots(), '--format', 'json']);
  const [a, b] = JSON.parse(out).roots;
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(a.verdict.findings[0]).toMatchObject({
    rule: 'KARP-001',
    severity: 'error',
    message: `${MESSAGE}; ${RULES[0].id} judges nothing, and all other rules do`,
    remedy: expect.stringContaining('report it'),
  });
  const rulesOf = (findings: Finding[]) => findings.map(({ rule }) => rule);
  expect(rulesOf(a.verdict.findings.slice(1))).toEqual(rulesOf(b.verdict.findings));
  expect(a.verdict.summary).toMatchObject({ scheduledPods: 1, errors: 1 });
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

test('outside the rules is the only finding', () => {
  const { verdict } = guardedSession([{ path: 'a.yaml', text: '' }], {}, (sources, options) => {
    if (sources.length > 0) throw new TypeError('no such thing');
    const session = readSession(sources, options);
    return { session, verdict: checkSession(session) };
  });
  expect(verdict.findings).toMatchObject([{ rule: 'KARP-001', message: `${MESSAGE}; nothing in the file is judged` }]);
});

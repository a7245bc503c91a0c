import { checkSession, compare, explainPods, readSession, simulateScenarios } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const SOURCES = manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL));

/** The tasks that are reported while the manifests are read and scheduled. */
function workOf(run: (options: { readonly onProgress: (step: { readonly task: string }) => void }) => void): string[] {
  const tasks: string[] = [];
  run({ onProgress: ({ task }) => tasks.push(task) });
  return tasks.filter((task) => /^(reading manifests|scheduling pods)/.test(task));
}

test('a verdict, an explanation and scenarios of one session read and schedule once', () => {
  const work = workOf((options) => {
    const session = readSession(SOURCES, options);
    checkSession(session);
    explainPods(session, ['web']);
    simulateScenarios(session, ['drift', 'peak']);
  });
  expect(work).toEqual(['reading manifests', 'scheduling pods, pass']);
});

test('a comparison reads and schedules each version once', () => {
  const work = workOf((options) => compare(SOURCES, SOURCES, options));
  const once = ['reading manifests', 'scheduling pods, pass'];
  expect([...work].sort()).toEqual([...once, ...once].sort());
});

test('a session schedules nothing until the plan is needed', () => {
  expect(workOf((options) => readSession(SOURCES, options))).toEqual(['reading manifests']);
});

test('rejects a version of Karpenter that is not supported', () => {
  expect(() => readSession(SOURCES, { karpenterVersion: '0.37.0' })).toThrow(
    'karpenterVersion: unsupported version "0.37.0"',
  );
});

import { rolloutDeadlineBeforeNode } from '../../../../src/validation/rules/capacity/deadlines/rollout-deadline-before-node';
import { judge, manifest, nodeClass, nodePool } from '../judge';

const rule = rolloutDeadlineBeforeNode;
const POOLS = [nodeClass(), nodePool('default')];
const web = (spec: object = {}, container: object = {}, pod: object = {}) =>
  manifest('apps/v1', 'Deployment', 'web', {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } }, ...container }],
        ...pod,
      },
    },
    ...spec,
  });
const judged = (...given: Parameters<typeof web>) => judge(rule, [...POOLS, web(...given)]);
const probe = (failureThreshold: number) => ({ httpGet: { port: 80 }, failureThreshold });

describe('KARP-327 rollout-deadline-before-node', () => {
  test('reports a deadline before the node and the pod are ready', () => {
    expect(judged({ progressDeadlineSeconds: 60 }).findings).toMatchObject([
      {
        path: ['spec', 'progressDeadlineSeconds'],
        severity: 'warning',
        message:
          'its rollout counts as failed after 60 s without progress: a new node takes about 60 s, and a pod is available 20 s later at the earliest',
        remedy: 'write progressDeadlineSeconds: 420',
      },
    ]);
    const late = { readinessProbe: { ...probe(3), initialDelaySeconds: 90 } };
    expect(judged({ progressDeadlineSeconds: 120 }, late).findings).toHaveLength(1);
  });

  test('notes a startup probe that waits longer than the deadline', () => {
    expect(judged({}, { startupProbe: probe(120) }).findings).toMatchObject([
      {
        severity: 'info',
        message:
          'its rollout counts as failed after 600 s without progress, the default: a new node takes about 60 s, and the startupProbe waits up to 1200 s for the pod',
        remedy: 'write progressDeadlineSeconds: 1560',
      },
    ]);
  });

  test('passes longer deadlines, and does not apply to pods without a new node', () => {
    expect(judged({ progressDeadlineSeconds: 80 }).states).toEqual(['pass Deployment/web']);
    expect(judged({}, { startupProbe: probe(54) }).states).toEqual(['pass Deployment/web']);
    expect(judged({ progressDeadlineSeconds: 60 }, {}, { nodeSelector: { team: 'a' } }).outcomes).toEqual([]);
  });
});

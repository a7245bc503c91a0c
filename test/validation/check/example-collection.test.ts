import { check } from '../../../src/validation';
import { deployment, nodeClass, nodePool } from '../rules/judge';

const severities = (pool: string) =>
  check(
    [
      { path: 'pool.yaml', text: nodePool(pool) },
      { path: 'class.yaml', text: nodeClass() },
      { path: 'web.yaml', text: deployment('web', { nodeSelector: { team: 'a' } }) },
    ],
    { region: 'eu-west-1' },
  )
    .findings.filter(({ subject }) => subject.kind === 'Deployment')
    .map(({ rule, severity }) => `${rule} ${severity}`);

describe('findings about workloads', () => {
  test.each(['<YOUR-NODE-POOL-NAME-HERE>', 'your-node-pool', '[NODEPOOL_NAME]', 'NODE_POOL_NAME'])(
    'are notes if the name of the only NodePool is still to be written: %s',
    (name) => {
      const found = severities(name);
      expect(found).not.toEqual([]);
      expect(found.filter((text) => !text.endsWith(' info'))).toEqual([]);
    },
  );

  test.each(['default', 'yours'])('keep their severity if it is %s', (name) => {
    expect(severities(name)).toContain('KARP-106 error');
  });
});

import { planSummary } from '../../src/plugins/synth-report';
import { check } from '../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOL = nodePool(['m5.large']);
const WEB = deployment('web', 2, SMALL);

describe('planSummary', () => {
  test('counts the pods on the planned nodes', () => {
    expect(planSummary(check(manifests(NODE_CLASS, POOL, WEB)))).toMatch(/^2 of 2 pods on 1 node, \$/);
  });

  test('counts no pod on nodes of a NodePool that the API server rejects, until it is corrected', () => {
    const rejected = POOL.replace('    spec:\n', '    spec:\n      expireAfter: 14d\n');
    expect(planSummary(check(manifests(NODE_CLASS, rejected, WEB)))).toMatch(
      /^0 of 2 pods as it is; with the errors corrected, 2 on 1 node, \$/,
    );
  });
});

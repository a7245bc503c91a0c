import { Testing, Yaml } from 'cdk8s';
import { NginxDemo } from '../../examples/resilient-web/chart';
import { check } from '../../src/validation';

function verdictOn(resilient: boolean) {
  const text = Yaml.stringify(...Testing.synth(new NginxDemo(Testing.app(), 'nginx-demo', resilient)));
  return check([{ path: 'nginx-demo.yaml', text }], { region: 'eu-west-1' });
}

describe('the web server', () => {
  test('without protection is on one node, and is found to be', () => {
    const { nodeClaims, findings } = verdictOn(false);
    expect(nodeClaims.map(({ pods }) => pods)).toEqual([['default/nginx-demo-0', 'default/nginx-demo-1']]);
    expect(findings.map(({ name }) => name)).toEqual(['expiry-is-forceful-and-implicit', 'no-pdb', 'no-topology-spread']);
  });

  test('that is resilient is on two nodes in two zones, and nothing is wrong with it', () => {
    const { nodeClaims, findings, notEvaluated } = verdictOn(true);
    expect(nodeClaims.map(({ pods }) => pods)).toEqual([['default/nginx-demo-0'], ['default/nginx-demo-1']]);
    expect(new Set(nodeClaims.flatMap(({ zones }) => zones)).size).toBe(2);
    expect({ findings, notEvaluated }).toEqual({ findings: [], notEvaluated: [] });
  });
});

import { join } from 'path';
import { folderOf, run } from './run';
import { dump, node, pod } from '../validation/cluster/dump';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const SETUP = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 5, SMALL)].join('---\n');
const [{ text: nodes }] = dump(node('n1'));
const [{ text: pods }] = dump(pod('agent-x', { on: 'n1' }));
const frankfurt = JSON.stringify({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'main' },
  spec: { subnetSelectorTerms: [{ tags: { a: 'b' } }] },
  status: { subnets: [{ id: 'subnet-1', zone: 'eu-central-1b' }] },
});
const folder = folderOf({
  'frankfurt.json': frankfurt,
  'setup.yaml': SETUP,
  'cluster/nodes.yaml': nodes,
  'cluster/pods.json': pods,
  'nameless.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: 7 }\n',
  'broken.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus: { allocatable: { cpu: x } }\n',
});
const path = (name: string) => join(folder, name);

describe('--cluster', () => {
  test('prints existing nodes that take pods', async () => {
    const { code, out } = await run(['check', path('setup.yaml'), '--cluster', path('cluster')]);
    expect(code).toBe(0);
    expect(out).toMatch(/^All 5 pods fit on 1 node of the cluster and 1 new node, from \$0\.0960\/h/);
    expect(out).toMatch(
      /^Nodes in us-east-1 \(\+ new, > gets pods\) .*\n\+ default-0 +m5\.large on-demand .*\n {4}runs 2 × default\/web\n> n1 .*\n {4}runs 1 × default\/agent-x, 3 × default\/web\n/m,
    );
    expect((await run(['check', path('setup.yaml'), '--cluster', path('cluster'), '--verbose'])).out).toContain(
      'Nodes of the cluster\n  n1: takes 3 × default/web\n',
    );
  });

  test('can be repeated, and can be standard input', async () => {
    const { out } = await run(
      ['check', path('setup.yaml'), '--cluster', path('cluster/pods.json'), '--cluster', '-', '--format', 'json'],
      nodes,
    );
    expect(Object.keys(JSON.parse(out)).slice(-2)).toEqual(['filledNodes', 'placements']);
    expect(JSON.parse(out).filledNodes[0].pods).toHaveLength(3);
  });

  test('separates pods without a node from pods with one in explain', async () => {
    const limited = SETUP.replace('cpu: 1000', 'cpu: 1');
    expect(limited).not.toBe(SETUP);
    const { out } = await run(['explain', '-', '--cluster', path('cluster'), '--pod', 'web'], limited);
    expect(out.match(/^default\/web-\d .*(\n {2}scheduled as.*|\n {2}tried after.*)\n {2}same for.*/gm)).toEqual([
      expect.stringMatching(
        /^default\/web-0 runs on node n1, which already exists\n.*\n {2}same for 2 × default\/web$/,
      ),
      expect.stringMatching(/^default\/web-3 fits nowhere\n.*\n {2}same for default\/web-4$/),
    ]);
  });

  test('is used by explain and instance-types, too', async () => {
    const explained = await run(['explain', path('setup.yaml'), '--cluster', path('cluster'), '--pod', 'web-0']);
    expect([explained.code, explained.out]).toEqual([0, expect.stringContaining('n1')]);
    const cluster = path('frankfurt.json');
    const { out } = await run(['instance-types', path('setup.yaml'), '--cluster', cluster, '--format', 'json']);
    expect(JSON.parse(out)[0].offerings.map(({ zone }: { zone: string }) => zone)).toEqual(['eu-central-1b']);
  });

  test('is rejected as standard input that already contains the manifests', async () => {
    expect(await run(['check', '-', '--cluster', '-'], SETUP)).toEqual({
      code: 2,
      out: '',
      err: 'error: --cluster: standard input already contains the manifests; name a file\n',
    });
  });

  test('that does not exist makes instance-types exit with 2', async () => {
    expect(await run(['instance-types', path('setup.yaml'), '--cluster', path('nowhere.yaml')])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('no such file'),
    });
  });

  test.each([
    [
      'broken.yaml',
      /broken\.yaml:4:26: status\.allocatable\.cpu: .*, got "x"; this Node of the cluster is ignored; .*export the object again with kubectl get/,
    ],
    [
      'nameless.yaml',
      /nameless\.yaml:3:13: metadata\.name: must be a string, got 7; this Node of the cluster is ignored; put the name in quotes/,
    ],
    ['nowhere.yaml', /nowhere\.yaml: no such file or folder/],
  ])('with the unreadable file %s exits with 2 without output', async (file, problem) => {
    const expected = { code: 2, out: '', err: expect.stringMatching(problem) };
    expect(await run(['check', path('setup.yaml'), '--cluster', path(file)])).toEqual(expected);
    expect(await run(['explain', path('setup.yaml'), '--cluster', path(file), '--pod', 'web-0'])).toEqual(expected);
    expect(await run(['diff', path('setup.yaml'), path('setup.yaml'), '--cluster', path(file)])).toMatchObject({
      code: 2,
      out: '',
    });
  });
});

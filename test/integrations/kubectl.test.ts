import { spawnSync } from 'child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'fs';
import { tmpdir } from 'os';
import { basename, join } from 'path';
import { parse } from 'yaml';
import { pathWith } from './programs';
import { newFolder } from '../cli/run';
import { buildCommandLine } from '../support/command-line';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

jest.setTimeout(60_000);

const FOLDER = join(__dirname, '../../integrations/krew');
const PLUGIN = join(FOLDER, 'kubectl-karpenter_check');
/** A node of the cluster with room for a pod. */
const NODE = `
apiVersion: v1
kind: Node
metadata:
  name: ip-10-0-0-1
  labels: { node.kubernetes.io/instance-type: m5.large, topology.kubernetes.io/zone: us-east-1a, kubernetes.io/hostname: ip-10-0-0-1, kubernetes.io/arch: amd64, kubernetes.io/os: linux }
spec: { providerID: 'aws:///us-east-1a/i-0123456789abcdef0' }
status:
  capacity: { cpu: '2', memory: 7900Mi, pods: '29' }
  allocatable: { cpu: 1930m, memory: 7000Mi, pods: '29' }
  conditions: [{ type: Ready, status: 'True' }]
`;

describe('kubectl karpenter-check', () => {
  let command: string;
  beforeAll(async () => {
    command = await buildCommandLine();
  });

  function run(args: readonly string[], kubectl: string) {
    const folder = newFolder({
      'web.yaml': deployment('web', 1, SMALL),
      'pool.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
      'state.yaml': NODE,
    });
    const TMPDIR = mkdtempSync(join(tmpdir(), 'state-'));
    const PATH = pathWith({ kubectl, 'karpenter-constructs': command });
    const { status, stdout, stderr } = spawnSync(PLUGIN, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH, TMPDIR },
    });
    return { status, stdout, stderr, left: readdirSync(TMPDIR) };
  }

  test('schedules manifests to the nodes of the cluster, and leaves no copy of its state', () => {
    const { status, stdout, stderr, left } = run(
      ['web.yaml', 'pool.yaml', '--format', 'json'],
      'test "$1" = get && cat state.yaml',
    );
    expect({ status, stderr, left }).toEqual({ status: 0, stderr: '', left: [] });
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { pods: 1, scheduledPods: 1, nodes: 0 },
      filledNodes: [{ node: 'ip-10-0-0-1' }],
    });
  });

  test('has the exit code of check', () => {
    expect(run(['nowhere.yaml'], 'cat state.yaml')).toMatchObject({
      status: 2,
      stderr: 'error: nowhere.yaml: no such file or folder\n',
      left: [],
    });
  });

  test('ends with the message of kubectl if the cluster cannot be read', () => {
    expect(run(['web.yaml'], 'echo "The connection to the server was refused" >&2; exit 1')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'The connection to the server was refused\n',
      left: [],
    });
  });

  test('prints its options without a cluster', () => {
    expect(run(['--help'], 'exit 1')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: karpenter-constructs check'),
    });
  });
});

test('the manifest of krew names the files of the plugin, and the program that kubectl looks for', () => {
  const {
    metadata: { name },
    spec: { platforms },
  } = parse(readFileSync(join(FOLDER, 'karpenter-check.yaml'), 'utf8'));
  for (const { bin, files } of platforms) {
    expect(bin).toBe(`kubectl-${name.replaceAll('-', '_')}`);
    expect(bin).toBe(basename(PLUGIN));
    expect(files.map(({ from }: { from: string }) => from)).toEqual([bin, 'LICENSE']);
  }
});

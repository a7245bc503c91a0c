import { check, Root, withKarpenterOfRepository } from '../../../src/validation';
import { karpenterTrace } from '../../../src/validation/manifest/source/karpenter-trace';
import { deployment, NODE_CLASS, nodePool } from '../setup';

const GPU_POD = 'cpu: 1, memory: 1Gi, nvidia.com/gpu: 1 }, limits: { nvidia.com/gpu: 1';
const APP = {
  path: 'app/all.yaml',
  text: [NODE_CLASS, nodePool(['g5.xlarge']), deployment('infer', 1, GPU_POD)].join('---\n'),
};
const PLATFORM = {
  path: 'platform/plugin.yaml',
  text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { chart: nvidia-device-plugin }\n',
};

const root = (name: string, file: typeof APP): Root => ({ name, kind: 'files', sources: [file], notes: [] });
const rulesOf = ({ sources }: Root) => check(sources).findings.map(({ rule }) => rule);

describe('a device plugin', () => {
  test('of another root runs on the nodes, too', () => {
    const other = { ...PLATFORM, text: PLATFORM.text.replace('nvidia', 'example') };
    const [alone] = withKarpenterOfRepository([root('app', APP), root('platform', other)], [APP, other]);
    expect(rulesOf(alone)).toContain('KARP-254');
    const [app] = withKarpenterOfRepository([root('app', APP), root('platform', PLATFORM)], [APP, PLATFORM]);
    expect(rulesOf(app)).not.toContain('KARP-254');
  });

  test('that Terraform installs runs on the nodes, too', () => {
    const text = 'resource "helm_release" "gpu" {\n  chart = "nvidia-device-plugin"\n}\n';
    const traces = karpenterTrace({ path: 'gpu.tf', text, isFound: true }, '.tf');
    expect(traces).toMatchObject([{ trace: { devicePlugins: ['NVIDIA device plugin'], isSilent: true } }]);
    const [app] = withKarpenterOfRepository([root('app', APP)], [APP, ...traces]);
    expect(rulesOf(app)).not.toContain('KARP-254');
  });
});

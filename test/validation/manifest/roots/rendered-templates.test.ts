import { check, rootsOf, SourceFile, withSharedPools, withUnreadPools } from '../../../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const found = (path: string, text: string): SourceFile => ({ path, text, isFound: true });
const POOL = nodePool(['m5.large']);
const WEB = deployment('web', 2, SMALL);
const unresolved = (text: string) => text.replace('values: [m5.large]', 'values: ["${INSTANCE_TYPE}"]');
const withFlag = (text: string) => `{{- if .Values.enabled }}\n${text}{{- end }}\n`;

describe('a template beside its result', () => {
  test('is not read', () => {
    const roots = rootsOf([
      found('karpenter/class.yaml', NODE_CLASS),
      found('karpenter/pool.yaml', POOL),
      found('karpenter/pool.yaml.tpl', unresolved(POOL)),
      found('apps/web.yaml', WEB),
    ]);
    const planned = withSharedPools(roots).flatMap(({ sources }) => check(sources).summary);
    expect(planned).toEqual([expect.objectContaining({ scheduledPods: 2 })]);
  });

  test('is read if it is alone', () => {
    const [{ sources }] = rootsOf([found('pool.yaml.tpl', unresolved(POOL)), found('class.yaml', NODE_CLASS)]);
    expect(sources.map(({ path }) => path)).toContain('pool.yaml.tpl');
  });
});

test('NodePools with placeholders are one warning, at the first of them', () => {
  const { findings } = check([
    found('class.yaml', NODE_CLASS),
    found('pool.yaml', unresolved(POOL)),
    found('web.yaml', WEB),
  ]);
  expect(findings.filter(({ rule }) => rule === 'KARP-004')).toEqual([
    expect.objectContaining({
      severity: 'warning',
      subject: expect.objectContaining({ kind: 'NodePool', name: 'default' }),
      location: expect.objectContaining({ file: 'pool.yaml' }),
      remedy: '${INSTANCE_TYPE} is not known: fill them in first: `envsubst < <file> | karpenter-constructs check -`',
    }),
  ]);
});

describe('templates that cannot be read', () => {
  const templates = (text: string) =>
    check(['a', 'b', 'c', 'd'].map((name) => found(`templates/${name}.yaml`, withFlag(text)))).findings.filter(
      ({ rule, message }) => rule === 'KARP-001' && message.includes('template'),
    );

  test('are one finding for each program that renders them', () => {
    expect(templates(WEB)).toEqual([
      expect.objectContaining({
        severity: 'warning',
        message:
          '4 files are templates of Helm, and no YAML before they are rendered: templates/a.yaml, templates/b.yaml, templates/c.yaml and 1 more',
      }),
    ]);
  });

  test('are a note if no object in them would be judged', () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\n';
    expect(templates(service).map(({ severity }) => severity)).toEqual(['info']);
  });

  test('are no missing NodePools if helm has rendered their chart without any', () => {
    const template = found('charts/pools/templates/pool.yaml', withFlag(POOL));
    const web = { name: 'apps', kind: 'files' as const, sources: [found('apps/web.yaml', WEB)], notes: [] };
    const chart = {
      name: 'charts/pools',
      kind: 'chart' as const,
      sources: [],
      notes: [],
      release: { name: 'pools', chart: 'charts/pools', values: [], parameters: [], missing: [] },
    };
    const [{ sources }] = withUnreadPools([web, chart], [template]);
    const { findings } = check(sources);
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(findings.find(({ rule }) => rule === 'KARP-003')?.message).toContain('in charts whose values make none');
  });
});

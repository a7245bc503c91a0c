import { check, CheckOptions, renderBaseline } from '../../../src/validation';
import { withOneForEachPlace } from '../../../src/validation/check/one-place';
import { findingDifferences } from '../../../src/validation/difference/findings';
import { rootsOf } from '../../../src/validation/manifest';
import { Finding } from '../../../src/validation/vocabulary/verdict';

const BASE = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: main, image: i, resources: { requests: { cpu: 1, memory: 1Gi } } }]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: shop }
spec:
  maxUnavailable: 0
  selector: { matchLabels: { app: web } }
`;

/** The findings of KARP-403 for a kustomization with a base under several prefixes. */
function verdictOf(prefixes: readonly string[], options: CheckOptions = {}) {
  const [root] = rootsOf([
    { path: 'base/web.yaml', text: BASE },
    { path: 'base/kustomization.yaml', text: 'resources: [web.yaml]\n' },
    ...prefixes.map((prefix) => ({
      path: `${prefix}/kustomization.yaml`,
      text: `resources: [../base]\nnamePrefix: ${prefix}-\ncommonLabels: { app: ${prefix} }\n`,
    })),
    { path: 'all/kustomization.yaml', text: `resources: [${prefixes.map((prefix) => `../${prefix}`).join(', ')}]\n` },
  ]).filter(({ name }) => name === 'all');
  return check(root.sources, options);
}

const ofBudgets = ({ findings }: { readonly findings: readonly Finding[] }) =>
  findings.filter(({ rule }) => rule === 'KARP-403');

describe('a line of a base that several objects share', () => {
  const verdict = verdictOf(['a', 'b', 'c']);
  const [finding, ...others] = ofBudgets(verdict);

  test('is one finding, which names the other objects', () => {
    expect(others).toEqual([]);
    expect(finding.message).toMatch(
      /; 2 more PodDisruptionBudgets have this from the same line: shop\/b-web and shop\/c-web$/,
    );
    expect(finding.also?.map(({ name }) => name)).toEqual(['b-web', 'c-web']);
  });

  test('accepts a finding of one of the objects only', () => {
    const entry = {
      rule: 'KARP-403',
      subject: 'PodDisruptionBudget/shop/a-web',
      reason: 'known',
      location: { file: 'k.yaml', line: 1, column: 1, path: '' },
    };
    const accepted = verdictOf(['a', 'b', 'c'], { acknowledge: { entries: [entry] } });
    expect(ofBudgets(accepted).map(({ subject, also }) => [subject.name, also?.length])).toEqual([['b-web', 1]]);
    expect(accepted.acknowledged?.map(({ subject }) => subject.name)).toEqual(['a-web']);
  });

  test('has an entry for each object in a baseline, and a new object is a finding', () => {
    const baseline = { file: 'b.json', findings: JSON.parse(renderBaseline(verdict.findings)).findings };
    expect(ofBudgets(verdictOf(['a', 'b', 'c'], { acknowledge: { baseline } }))).toEqual([]);
    expect(
      ofBudgets(verdictOf(['a', 'b', 'd'], { acknowledge: { baseline } })).map(({ subject }) => subject.name),
    ).toEqual(['d-web']);
  });

  test('is no difference if the first object is renamed, except for the renamed object', () => {
    const { added, removed } = findingDifferences(verdict, verdictOf(['b', 'c', 'd']));
    expect(
      [ofBudgets({ findings: added }), ofBudgets({ findings: removed })].map((some) =>
        some.map(({ subject }) => subject.name),
      ),
    ).toEqual([['d-web'], ['a-web']]);
    expect(findingDifferences(verdict, verdict)).toEqual({ added: [], removed: [] });
  });
});

describe('findings of a template that helm renders', () => {
  const rendered = (name: string, line: number, text = 'maxUnavailable: 0'): Finding => ({
    rule: 'KARP-403',
    name: 'pdb-blocks-everything',
    severity: 'error',
    subject: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', namespace: '', name },
    location: { file: 'templates/pdb.yaml (helm template)', line, column: 3, path: 'spec.maxUnavailable' },
    message: `${name} never allows an eviction`,
    remedy: 'write maxUnavailable: 1',
    evidence: {},
    excerpt: { line, lines: [`  ${text}`] },
  });

  test('are one if their lines are equal', () => {
    const findings = withOneForEachPlace([
      rendered('a', 9),
      rendered('b', 21),
      rendered('c', 33, 'maxUnavailable: 0%'),
    ]);
    expect(findings.map(({ message }) => message)).toEqual([
      'a never allows an eviction; 1 more PodDisruptionBudget has this from the same template: b',
      'c never allows an eviction',
    ]);
  });

  test('are several if their remedies differ, or one object has both', () => {
    const other = { ...rendered('b', 21), remedy: 'run 2 replicas' };
    expect(withOneForEachPlace([rendered('a', 9), other])).toHaveLength(2);
    expect(withOneForEachPlace([rendered('a', 9), rendered('a', 21)])).toHaveLength(2);
  });
});

import { AMD64, CLASS, ON_DEMAND, pool, verdictOf, workload } from './cases/fixtures';
import { check, renderSarif, renderText } from '../../../src/validation';
import { patchOf } from '../../../src/validation/report/patch';
import { schemaViolations } from '../report/sarif-schema/violations';

const relatedOf = (documents: readonly string[]) => {
  const [finding] = verdictOf(documents).findings.filter(
    ({ related, severity }) => related !== undefined || severity === 'error',
  );
  return { path: finding.location.path, related: finding.related };
};

describe('the second place of a finding about pods without a node', () => {
  test('is the requirement of the NodePool that excludes what the pods select', () => {
    const documents = [CLASS, pool('main'), workload('web', { pod: 'nodeSelector: { kubernetes.io/arch: arm64 }' })];
    const { path, related } = relatedOf(documents);
    expect(path).toBe('spec.template.spec.nodeSelector["kubernetes.io/arch"]');
    expect(related).toEqual({
      location: expect.objectContaining({ path: 'spec.template.spec.requirements[1]' }),
      label: 'NodePool main allows other values',
      excerpt: expect.objectContaining({ lines: expect.arrayContaining([`      - { ${AMD64} }`]) }),
    });
  });

  test('is the label of the NodePool that has another value', () => {
    const documents = [
      CLASS,
      pool('main', { labels: 'team: web' }),
      workload('web', { pod: 'nodeSelector: { team: api }' }),
    ];
    expect(relatedOf(documents).related?.location.path).toBe('spec.template.metadata.labels.team');
  });

  test('is the taint that the pods do not tolerate', () => {
    const template = 'taints: [{ key: team, value: web, effect: NoSchedule }]';
    const { related } = relatedOf([CLASS, pool('main', { template }), workload('web')]);
    expect(related?.label).toBe('the pods do not tolerate team=web:NoSchedule of NodePool main');
    expect(related?.location.path).toBe('spec.template.spec.taints[0]');
  });

  test('is missing if several NodePools refuse the pods and none is meant', () => {
    const template = 'taints: [{ key: team, value: web, effect: NoSchedule }]';
    const arm = pool('arm', { requirements: [ON_DEMAND, AMD64.replace('amd64', 'arm64')], template });
    const documents = [CLASS, pool('main', { template }), arm, workload('web', { pod: 'nodeSelector: { a: b }' })];
    expect(relatedOf(documents).related).toBeUndefined();
  });
});

test('text and SARIF name the second place', () => {
  const text = [CLASS, pool('main'), workload('web', { pod: 'nodeSelector: { kubernetes.io/arch: arm64 }' })].join(
    '---\n',
  );
  const verdict = check([{ path: 'a.yaml', text }]);
  expect(renderText(verdict)).toMatch(/ :: a\.yaml:21:9: NodePool main allows other values/);
  const sarif = renderSarif(verdict, { root: '/', rules: [], version: '1.0.0' } as never);
  expect(sarif).toContain('"relatedLocations"');
  expect(schemaViolations(sarif)).toEqual([]);
});

test('a patch may change lines far from the finding', () => {
  const { findings } = verdictOf([
    CLASS,
    pool('main', { requirements: [ON_DEMAND, AMD64] }),
    workload('web', { pod: 'nodeSelector: { kubernetes.io/arch: arm64 }' }),
  ]);
  const finding = findings.find(({ rule }) => rule === 'KARP-213')!;
  expect(patchOf(finding)).toMatch(/\n-.*values: \[amd64\].*\n\+.*values: \[amd64, arm64\]/);
});

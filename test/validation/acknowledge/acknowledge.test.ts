import {
  check,
  parseBaseline,
  renderBaseline,
  renderHtml,
  renderMarkdown,
  renderSarif,
  renderText,
  RULES,
} from '../../../src/validation';
import type { Acknowledgement, AcknowledgeOptions } from '../../../src/validation';
import { acknowledgeFindings, isSubject } from '../../../src/validation/acknowledge';
import { manifests, NODE_CLASS, nodePool } from '../setup';

/** A Deployment with the findings KARP-306 (memory) and KARP-401. */
function web(annotation?: string, name = 'web'): string {
  const annotations = annotation === undefined ? {} : { 'karpenter-constructs.dev/acknowledge': annotation };
  const labels = { app: name };
  const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '100m' } } }];
  return `${JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', annotations },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  })}\n`;
}

const entry = (fields: Partial<Acknowledgement>): Acknowledgement => ({
  rule: 'KARP-401',
  reason: 'a gap is fine',
  location: { file: 'karpenter-constructs.yaml', line: 2, column: 5, path: '' },
  ...fields,
});
const checked = (acknowledge: AcknowledgeOptions = {}, ...documents: string[]) =>
  check(manifests(NODE_CLASS, nodePool(['m5.large']), ...(documents.length === 0 ? [web()] : documents)), {
    acknowledge,
  });
const rulesOf = (findings: ReadonlyArray<{ readonly rule: string }> = []) => findings.map(({ rule }) => rule);

describe('acknowledgements', () => {
  test('move findings to the list of acknowledged ones, and out of the summary', () => {
    expect(rulesOf(checked().findings)).toEqual(['KARP-401', 'KARP-306']);
    expect(checked().acknowledged).toBeUndefined();
    const { findings, acknowledged, summary } = checked({ entries: [entry({})] });
    expect(rulesOf(findings)).toEqual(['KARP-306']);
    expect(acknowledged).toMatchObject([
      {
        rule: 'KARP-401',
        acknowledgement: { by: 'file', reason: 'a gap is fine', place: 'karpenter-constructs.yaml:2:5' },
      },
    ]);
    expect(summary).toMatchObject({ errors: 0, warnings: 1, infos: 0 });
  });

  test.each(['Deployment/web', 'Deployment/shop/web', 'Deployment shop/web', 'Deployment/shop/*', '*/w*'])(
    'match the object of a finding by %s',
    (subject) => {
      expect(rulesOf(checked({ entries: [entry({ subject })] }).acknowledged)).toEqual(['KARP-401']);
    },
  );

  test.each([
    ['a kind with a digit', 'EC2NodeClass', 'default'],
    ['a resource of a template', 'AWS::SQS::Queue', 'Queue'],
    ['a custom resource', 'Custom::AWSCDK-EKS-HelmChart', 'Karpenter'],
  ])('match %s', (_, kind, name) => {
    const finding = { ...checked({}).findings[0], subject: { apiVersion: '', kind, namespace: '', name } };
    const { acknowledged } = acknowledgeFindings([finding], [], {
      entries: [entry({ rule: finding.rule, subject: `${kind}/${name}` })],
    });
    expect(isSubject(`${kind}/${name}`)).toBe(true);
    expect(acknowledged).toHaveLength(1);
  });

  test.each(['StatefulSet/web', 'Deployment/other/web', 'Deployment/we', 'Deployment/w.b'])(
    'do not match another object: %s',
    (subject) => {
      expect(checked({ entries: [entry({ subject })] }).acknowledged).toBeUndefined();
    },
  );

  test('are reported if they match nothing', () => {
    const [finding] = checked({ entries: [entry({ rule: 'KARP-404', subject: 'Deployment/web' })] }).findings;
    expect(finding).toMatchObject({
      rule: 'KARP-008',
      severity: 'info',
      location: { file: 'karpenter-constructs.yaml', line: 2 },
    });
    expect(finding.message).toBe('the acknowledgement of KARP-404 about Deployment/web matches no finding');
  });

  test.each([
    ['Deployment/default/web', 'in another namespace'],
    ['Deployment/shop/wbe', 'with a similar name'],
    ['Deployment/wbe', 'with a similar name in any namespace'],
  ])('warn if they mean an object %s that still has the finding, as %s', (subject) => {
    const { findings } = checked({ entries: [entry({ rule: 'KARP-306', subject })] });
    expect(findings.find(({ rule }) => rule === 'KARP-008')).toMatchObject({
      severity: 'warning',
      message: `the acknowledgement of KARP-306 about ${subject} matches no object, and the finding about Deployment/shop/web still counts`,
      remedy: 'write Deployment/shop/web, or remove the acknowledgement',
    });
  });

  test('do not warn if several objects are meant, or if the finding is accepted, a note, or of another rule', () => {
    const severities = (entries: Acknowledgement[], ...documents: string[]) =>
      checked({ entries }, ...documents).findings.flatMap(({ rule, severity }) =>
        rule === 'KARP-008' ? severity : [],
      );
    const other = web().replace('"shop"', '"staging"');
    expect(severities([entry({ rule: 'KARP-306', subject: 'Deployment/default/web' })], web(), other)).toEqual([
      'info',
    ]);
    expect(
      severities([entry({ rule: 'KARP-306', subject: 'Deployment/shop/wbe' }), entry({ rule: 'KARP-306' })]),
    ).toEqual(['info']);
    // The finding KARP-401 is a note.
    expect(severities([entry({ subject: 'Deployment/shop/wbe' })])).toEqual(['info']);
    expect(severities([entry({ rule: 'KARP-404', subject: 'Deployment/shop/wbe' })])).toEqual(['info']);
  });

  test('end after their last day, if the day is given', () => {
    const until = (today?: string) => checked({ entries: [entry({ until: '2026-03-31' })], today });
    expect(until().acknowledged).toMatchObject([{ acknowledgement: { until: '2026-03-31' } }]);
    expect(until('2026-03-31').acknowledged).toHaveLength(1);
    expect(until('2026-04-01').acknowledged).toBeUndefined();
    expect(until('2026-04-01').findings[0].message).toBe(
      'the acknowledgement of KARP-401 ended on 2026-03-31, so the finding counts again',
    );
  });

  test('do not cover input that cannot be read', () => {
    const { findings } = checked(
      { entries: [entry({ rule: 'KARP-001' })], severities: new Map([['KARP-001', { severity: 'info', place: 'a' }]]) },
      'a: [',
      web(),
    );
    expect(findings.filter(({ rule }) => rule === 'KARP-001')).toMatchObject([{ severity: 'error' }]);
  });

  test('leave no trace in a verdict without any', () => {
    expect(Object.keys(checked())).not.toContain('acknowledged');
    expect(rulesOf(RULES.map(({ id }) => ({ rule: id })))).toContain('KARP-008');
  });
});

describe('the annotation karpenter-constructs.dev/acknowledge', () => {
  test('acknowledges rules for its own object only, separated by semicolons or line breaks', () => {
    const { findings, acknowledged } = checked(
      {},
      web('KARP-401=a gap is fine; really\nKARP-306 = measured; KARP-306=twice'),
      web(undefined, 'api'),
    );
    expect(
      acknowledged?.map(({ rule, subject, acknowledgement }) => [
        rule,
        subject.name,
        acknowledgement.by,
        acknowledgement.reason,
      ]),
    ).toEqual([
      ['KARP-401', 'web', 'annotation', 'a gap is fine; really'],
      ['KARP-306', 'web', 'annotation', 'measured'],
    ]);
    expect(findings.every(({ subject }) => subject.name === 'api')).toBe(true);
  });

  test.each(['KARP-401', 'KARP-401=', 'KARP-401: fine', ''])(
    'is refused without a rule and a reason: %j',
    (annotation) => {
      const { findings, acknowledged } = checked({}, web(annotation));
      expect(acknowledged).toBeUndefined();
      expect(findings.filter(({ rule }) => rule === 'KARP-008')).toMatchObject([
        {
          severity: 'warning',
          remedy: 'write karpenter-constructs.dev/acknowledge: "KARP-401=<reason>"',
          location: { path: 'metadata.annotations["karpenter-constructs.dev/acknowledge"]' },
        },
      ]);
    },
  );

  test('is reported if it matches no finding of its object', () => {
    const { findings } = checked({}, web('KARP-402=not yet'));
    expect(findings.filter(({ rule }) => rule === 'KARP-008')).toMatchObject([
      { severity: 'info', subject: { name: 'web' }, message: 'the acknowledgement of KARP-402 matches no finding' },
    ]);
  });
});

describe('severities', () => {
  test('replace those of the rules, and are listed as assumptions', () => {
    const { summary, assumptions } = checked({
      severities: new Map([['KARP-306', { severity: 'error', place: 'karpenter-constructs.yaml:8:13' }]]),
    });
    expect(summary).toMatchObject({ errors: 1, warnings: 0 });
    expect(assumptions).toContain('findings of KARP-306 count as error (karpenter-constructs.yaml:8:13)');
  });
});

describe('a baseline', () => {
  const file = 'baseline.json';
  const baseline = { file, findings: parseBaseline(renderBaseline(checked().findings)) };

  test('leaves only new findings, wherever the lines are', () => {
    const { findings, acknowledged } = checked({ baseline }, web(undefined, 'api'), web());
    expect(findings.map(({ rule, subject }) => [rule, subject.name])).toEqual([
      ['KARP-401', 'api'],
      ['KARP-306', 'api'],
    ]);
    expect(acknowledged).toMatchObject([
      { acknowledgement: { by: 'baseline', place: file } },
      { subject: { name: 'web' } },
    ]);
  });

  test('does not cover a finding that became more severe', () => {
    const severities = new Map([['KARP-306', { severity: 'error' as const, place: 'a' }]]);
    expect(rulesOf(checked({ baseline, severities }).findings)).toContain('KARP-306');
  });

  test('reports that its findings no longer exist, unless another acknowledgement covers them', () => {
    const [finding] = checked({ baseline }, web(undefined, 'api')).findings.filter(({ rule }) => rule === 'KARP-008');
    expect(finding).toMatchObject({
      severity: 'info',
      location: { file },
      remedy: 'write the baseline again with --write-baseline baseline.json',
    });
    expect(finding.message).toBe(
      '2 findings of the baseline no longer exist: KARP-306 of Deployment shop/web and KARP-401 of Deployment shop/web',
    );
    expect(checked({ baseline, entries: [entry({})] }).findings).toEqual([]);
  });

  test('is the same text for findings in any order, and refuses other texts', () => {
    const { findings } = checked();
    expect(renderBaseline([...findings].reverse())).toBe(renderBaseline(findings));
    expect(parseBaseline(renderBaseline([]))).toEqual([]);
    expect(() => parseBaseline('{"findings": []}')).toThrow('it is not a baseline of schema version 1');
    expect(() => parseBaseline('{"schemaVersion": "1", "findings": [{"rule": "KARP-401"}]}')).toThrow(
      'it is not a baseline',
    );
  });
});

describe('reports', () => {
  const until = '2026-03-31';
  const verdict = checked({
    entries: [entry({ until })],
    baseline: { file: 'baseline.json', findings: parseBaseline(renderBaseline(checked().findings)) },
  });
  const line = 'info KARP-401 Deployment shop/web: a gap is fine, until 2026-03-31 (karpenter-constructs.yaml:2:5)';

  test('list acknowledged findings with their reasons, and count those of a baseline', () => {
    const text = renderText(verdict);
    expect(text).toContain('no errors, no warnings, 2 acknowledged.');
    expect(text).toContain(`Acknowledged\n  ${line}\n  1 finding of the baseline baseline.json\n`);
    expect(renderMarkdown(verdict)).toContain(line);
    expect(renderHtml(verdict)).toContain(line);
  });

  test('mark them as suppressed results in SARIF', () => {
    const {
      runs: [{ results }],
    } = JSON.parse(renderSarif(verdict, { version: '1.0.0', root: '/', rules: RULES }));
    expect(results.map(({ ruleId, suppressions }: any) => [ruleId, suppressions])).toEqual([
      ['KARP-401', [{ kind: 'external', justification: 'a gap is fine, until 2026-03-31' }]],
      ['KARP-306', [{ kind: 'external', justification: 'in the baseline' }]],
    ]);
    const annotated = JSON.parse(
      renderSarif(checked({}, web('KARP-401=fine')), { version: '1.0.0', root: '/', rules: RULES }),
    ).runs[0].results;
    expect(annotated.flatMap(({ suppressions = [] }: any) => suppressions)).toEqual([
      { kind: 'inSource', justification: 'fine' },
    ]);
  });
});

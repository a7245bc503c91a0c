import fc from 'fast-check';
import type { Log, Result } from 'sarif';
import { schemaViolations } from './sarif-schema/violations';
import { EMPTY, VERDICT } from './verdict';
import { Finding, renderSarif, SarifOptions, Verdict } from '../../../src/validation';

const OPTIONS: SarifOptions = {
  version: '1.2.3',
  root: '/work space',
  rules: [{ id: 'KARP-306', name: 'missing-requests', severity: 'warning', summary: 'Nothing is requested.' }],
};
const [ERROR, WARNING] = VERDICT.findings;

const logOf = (verdict: Verdict, options: Partial<SarifOptions> = {}) =>
  JSON.parse(renderSarif(verdict, { ...OPTIONS, ...options })) as Log;
const runOf = (findings: readonly Finding[], options: Partial<SarifOptions> = {}) =>
  logOf({ ...VERDICT, findings }, options).runs[0];
const resultsOf = (...findings: Finding[]): Result[] => runOf(findings).results!;
const findingAt = (location: Partial<Finding['location']>) => ({
  ...WARNING,
  location: { ...WARNING.location, ...location },
});
const artifactOf = (file: string) => resultsOf(findingAt({ file }))[0].locations![0].physicalLocation!.artifactLocation;

test('a finding becomes a result with rule, level, message and remedy', () => {
  expect(resultsOf(WARNING)[0]).toMatchObject({
    ruleId: 'KARP-306',
    ruleIndex: 0,
    level: 'warning',
    message: { text: 'Deployment shop/web: no cpu request\nFix: write one' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'b.yaml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 9, startColumn: 1 },
        },
        logicalLocations: [{ name: 'web', kind: 'resource', fullyQualifiedName: 'Deployment/shop/web#spec' }],
      },
    ],
  });
});

test('lists each used rule once, by ID, with its help; an unknown rule has its name as description', () => {
  const { driver } = runOf([WARNING, ERROR, WARNING]).tool;
  expect(driver).toMatchObject({ name: 'karpenter-constructs', semanticVersion: '1.2.3' });
  expect(driver.rules).toMatchObject([
    { id: 'KARP-109', shortDescription: { text: 'duplicate-yaml-key' }, defaultConfiguration: { level: 'error' } },
    {
      id: 'KARP-306',
      shortDescription: { text: 'Nothing is requested.' },
      helpUri: expect.stringMatching(/docs\/rules\/KARP-306\.md$/),
    },
  ]);
});

test('a rule has everything that GitHub requires', () => {
  const [rule] = runOf([WARNING]).tool.driver.rules!;
  expect(rule).toMatchObject({
    shortDescription: { text: 'Nothing is requested.' },
    fullDescription: { text: 'Nothing is requested.' },
  });
  expect(rule.help!.text).toBe(`Nothing is requested. Each finding says what to write instead. ${rule.helpUri}`);
  expect(rule.help!.markdown).toBe(
    `Nothing is requested. Each finding says what to write instead. [KARP-306 missing-requests](${rule.helpUri})`,
  );
});

test('an info becomes a note', () => {
  expect(resultsOf({ ...WARNING, severity: 'info' })[0].level).toBe('note');
});

test.each([
  ['k8s/web.yaml', { uri: 'k8s/web.yaml', uriBaseId: '%SRCROOT%' }],
  ['./k8s/../a b#1.yaml', { uri: 'a%20b%231.yaml', uriBaseId: '%SRCROOT%' }],
  ['/work space/k8s/web.yaml', { uri: 'k8s/web.yaml', uriBaseId: '%SRCROOT%' }],
  ['..web.yaml', { uri: '..web.yaml', uriBaseId: '%SRCROOT%' }],
  ['../other/web.yaml', { uri: 'file:///other/web.yaml' }],
  ['-', { uri: 'stdin', uriBaseId: '%SRCROOT%' }],
])('the file %s becomes %j', (file, expected) => {
  expect(artifactOf(file)).toEqual(expected);
});

test('a finding from a template names its construct', () => {
  const [{ locations }] = resultsOf(findingAt({ construct: 'App/Karpenter/Pool', resource: 'Pool1' }));
  expect(locations![0].logicalLocations![1]).toEqual({ kind: 'object', fullyQualifiedName: 'App/Karpenter/Pool' });
});

test('a fingerprint survives changes of line and message, and differs for two findings of one field', () => {
  const fingerprint = (result: Result) => Object.values(result.partialFingerprints!)[0];
  const [first, second] = resultsOf(WARNING, WARNING).map(fingerprint);
  expect(second).not.toBe(first);
  expect(resultsOf({ ...findingAt({ line: 99 }), message: 'no cpu request of 7' }).map(fingerprint)).toEqual([first]);
  expect(resultsOf(findingAt({ path: 'metadata' })).map(fingerprint)).not.toEqual([first]);
});

test('two findings of one rule on one line have different GitHub fingerprints', () => {
  const results = resultsOf(WARNING, findingAt({ path: 'other' }), findingAt({ path: 'other', line: 10 }), {
    ...findingAt({ path: 'other' }),
    rule: 'KARP-307',
  });
  const hashes = results.map(({ partialFingerprints }) => partialFingerprints!.primaryLocationLineHash);
  expect(hashes).toEqual([undefined, results[1].partialFingerprints!['karpenterConstructs/v1'], undefined, undefined]);
});

test('joins pods that are not evaluated for the same reason', () => {
  const notEvaluated = Array.from({ length: 5_000 }, (_, nth) => ({ pod: `shop/db-${nth}`, what: ['a fixed node'] }));
  expect(logOf({ ...EMPTY, assumptions: [], notEvaluated }).runs[0].invocations![0].toolExecutionNotifications).toEqual(
    [{ level: 'warning', message: { text: '5,000 pods (5,000 × shop/db) are not evaluated: a fixed node' } }],
  );
});

test('pods that are not evaluated and assumptions become notifications', () => {
  expect(logOf(VERDICT).runs[0].invocations).toEqual([
    {
      executionSuccessful: true,
      toolExecutionNotifications: [
        { level: 'warning', message: { text: 'pod shop/db-0 is not evaluated: persistent volumes, pod affinity' } },
        { level: 'note', message: { text: 'the cluster is empty' } },
      ],
    },
  ]);
});

test('marks the run as failed if input cannot be read', () => {
  expect(logOf(VERDICT, { isPartial: true }).runs[0].invocations![0].executionSuccessful).toBe(false);
});

test('a verdict without findings becomes a run without results', () => {
  expect(logOf(EMPTY).runs[0]).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
});

test('keeps errors if there are too many results, and counts what is left out', () => {
  const run = runOf([...Array.from({ length: 25_000 }, () => WARNING), ERROR]);
  expect(run.results).toHaveLength(25_000);
  expect(run.results![24_999].level).toBe('error');
  expect(run.invocations![0].toolExecutionNotifications![0].message.text).toBe(
    'and 1 more finding (--format json lists all)',
  );
});

describe('the SARIF schema', () => {
  test('is met', () => {
    expect(schemaViolations(renderSarif(VERDICT, OPTIONS))).toEqual([]);
    expect(schemaViolations(renderSarif(EMPTY, { ...OPTIONS, isPartial: true }))).toEqual([]);
  });

  test('detects violations', () => {
    expect(schemaViolations('{"version":"2.1.0","runs":[{"results":[{"level":"info"}]}]}')).toContain(
      ".runs[0]: should have required property 'tool'",
    );
  });
});

test('names and messages never become links or control characters, and the log is valid and reproducible', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string({ unit: 'binary' }), (name, message, file) => {
      const finding = {
        ...findingAt({ file }),
        subject: { ...WARNING.subject, name },
        message: `${message}\u001b[2J [a](https://evil)`,
      };
      const text = renderSarif({ ...VERDICT, findings: [finding] }, OPTIONS);
      const [{ results }] = (JSON.parse(text) as Log).runs;
      expect(results![0].message.text).not.toMatch(/\]\(|\u001b/);
      expect(schemaViolations(text)).toEqual([]);
      expect(renderSarif({ ...VERDICT, findings: [finding] }, OPTIONS)).toBe(text);
    }),
    { numRuns: 100 },
  );
});

test('a fix becomes replacements in its file, with its line ends', () => {
  const fix = {
    title: 'write group: g',
    file: 'k8s/a b.yaml',
    safe: true,
    edits: [
      { line: 2, column: 3, endLine: 2, endColumn: 3, text: 'group: g\n  ' },
      { line: 4, column: 1, endLine: 5, endColumn: 1, text: '' },
    ],
  };
  const [result, unsafe] = resultsOf({ ...WARNING, fix }, { ...WARNING, fix: { ...fix, safe: false } });
  expect(result.fixes).toEqual([
    {
      description: { text: 'write group: g' },
      artifactChanges: [
        {
          artifactLocation: { uri: 'k8s/a%20b.yaml', uriBaseId: '%SRCROOT%' },
          replacements: [
            {
              deletedRegion: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 3 },
              insertedContent: { text: 'group: g\n  ' },
            },
            { deletedRegion: { startLine: 4, startColumn: 1, endLine: 5, endColumn: 1 } },
          ],
        },
      ],
    },
  ]);
  expect(unsafe.fixes![0].description!.text).toBe('write group: g (check that this is what you want)');
  expect(schemaViolations(renderSarif({ ...VERDICT, findings: [{ ...WARNING, fix }] }, OPTIONS))).toEqual([]);
});

import fc from 'fast-check';
import type { Log, Result } from 'sarif';
import { schemaViolations } from './sarif-schema/violations';
import { EMPTY, VERDICT } from './verdict';
import { Finding, renderSarif, SarifOptions, Verdict } from '../../../src/validation';

const OPTIONS: SarifOptions = {
  version: '1.2.3', root: '/work space', rules: [{ id: 'KARP-306', name: 'missing-requests', severity: 'warning', summary: 'Nothing is requested.' }],
};
const [ERROR, WARNING] = VERDICT.findings;

const logOf = (verdict: Verdict, options: Partial<SarifOptions> = {}) => JSON.parse(renderSarif(verdict, { ...OPTIONS, ...options })) as Log;
const runOf = (findings: readonly Finding[], options: Partial<SarifOptions> = {}) => logOf({ ...VERDICT, findings }, options).runs[0];
const resultsOf = (...findings: Finding[]): Result[] => runOf(findings).results!;
const at = (location: Partial<Finding['location']>) => ({ ...WARNING, location: { ...WARNING.location, ...location } });
const artifactOf = (file: string) => resultsOf(at({ file }))[0].locations![0].physicalLocation!.artifactLocation;

test('a finding is a result with its rule, its gravity, what happens, and what to write instead', () => {
  expect(resultsOf(WARNING)[0]).toMatchObject({
    ruleId: 'KARP-306',
    ruleIndex: 0,
    level: 'warning',
    message: { text: 'Deployment shop/web: no cpu request\nInstead: write one' },
    locations: [{
      physicalLocation: { artifactLocation: { uri: 'b.yaml', uriBaseId: '%SRCROOT%' }, region: { startLine: 9, startColumn: 1 } },
      logicalLocations: [{ name: 'web', kind: 'resource', fullyQualifiedName: 'Deployment/shop/web#spec' }],
    }],
  });
});

test('rules are told once, by their ids, with where they are explained; one that nobody knows by its name', () => {
  const { driver } = runOf([WARNING, ERROR, WARNING]).tool;
  expect(driver).toMatchObject({ name: 'karpenter-constructs', semanticVersion: '1.2.3' });
  expect(driver.rules).toMatchObject([
    { id: 'KARP-109', shortDescription: { text: 'duplicate-yaml-key' }, defaultConfiguration: { level: 'error' } },
    { id: 'KARP-306', shortDescription: { text: 'Nothing is requested.' }, helpUri: expect.stringMatching(/docs\/rules\.md#karp-306$/) },
  ]);
});

test('of a rule there is all that GitHub wants to know', () => {
  const [rule] = runOf([WARNING]).tool.driver.rules!;
  expect(rule).toMatchObject({ shortDescription: { text: 'Nothing is requested.' }, fullDescription: { text: 'Nothing is requested.' } });
  expect(rule.help!.text).toBe(`Nothing is requested. Each finding says what to write instead. ${rule.helpUri}`);
  expect(rule.help!.markdown).toBe(`Nothing is requested. Each finding says what to write instead. [KARP-306 missing-requests](${rule.helpUri})`);
});

test('an info is a note', () => {
  expect(resultsOf({ ...WARNING, severity: 'info' })[0].level).toBe('note');
});

test.each([
  ['k8s/web.yaml', { uri: 'k8s/web.yaml', uriBaseId: '%SRCROOT%' }],
  ['./k8s/../a b#1.yaml', { uri: 'a%20b%231.yaml', uriBaseId: '%SRCROOT%' }],
  ['/work space/k8s/web.yaml', { uri: 'k8s/web.yaml', uriBaseId: '%SRCROOT%' }],
  ['..web.yaml', { uri: '..web.yaml', uriBaseId: '%SRCROOT%' }],
  ['../other/web.yaml', { uri: 'file:///other/web.yaml' }],
  ['-', { uri: 'stdin', uriBaseId: '%SRCROOT%' }],
])('the file %s is %j', (file, expected) => {
  expect(artifactOf(file)).toEqual(expected);
});

test('what a template has made is named by its construct, too', () => {
  const [{ locations }] = resultsOf(at({ construct: 'App/Karpenter/Pool', resource: 'Pool1' }));
  expect(locations![0].logicalLocations![1]).toEqual({ kind: 'object', fullyQualifiedName: 'App/Karpenter/Pool' });
});

test('a finding is known again when lines and figures are others, and two of one field are told apart', () => {
  const fingerprint = (result: Result) => Object.values(result.partialFingerprints!)[0];
  const [first, second] = resultsOf(WARNING, WARNING).map(fingerprint);
  expect(second).not.toBe(first);
  expect(resultsOf({ ...at({ line: 99 }), message: 'no cpu request of 7' }).map(fingerprint)).toEqual([first]);
  expect(resultsOf(at({ path: 'metadata' })).map(fingerprint)).not.toEqual([first]);
});

test('two of one rule on one line are told apart by what GitHub knows results by, too', () => {
  const results = resultsOf(WARNING, at({ path: 'other' }), at({ path: 'other', line: 10 }), { ...at({ path: 'other' }), rule: 'KARP-307' });
  const known = results.map(({ partialFingerprints }) => partialFingerprints!.primaryLocationLineHash);
  expect(known).toEqual([undefined, results[1].partialFingerprints!['karpenterConstructs/v1'], undefined, undefined]);
});

test('pods that are not evaluated for one reason are said in one breath', () => {
  const notEvaluated = Array.from({ length: 5_000 }, (_, nth) => ({ pod: `shop/db-${nth}`, what: ['a fixed node'] }));
  expect(logOf({ ...EMPTY, assumptions: [], notEvaluated }).runs[0].invocations![0].toolExecutionNotifications).toEqual([
    { level: 'warning', message: { text: '5000 pods (5000 × shop/db) are not evaluated: a fixed node' } },
  ]);
});

test('what was not judged, and what is taken for granted, is said beside the results', () => {
  expect(logOf(VERDICT).runs[0].invocations).toEqual([{
    executionSuccessful: true,
    toolExecutionNotifications: [
      { level: 'warning', message: { text: 'pod shop/db-0 is not evaluated: persistent volumes, pod affinity' } },
      { level: 'note', message: { text: 'the cluster is empty' } },
    ],
  }]);
});

test('where input cannot be read it is said that the run has failed', () => {
  expect(logOf(VERDICT, { isPartial: true }).runs[0].invocations![0].executionSuccessful).toBe(false);
});

test('nothing found is a run without results', () => {
  expect(logOf(EMPTY).runs[0]).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
});

test('of more results than GitHub takes errors stay, and how many are left out is said', () => {
  const run = runOf([...Array.from({ length: 25_000 }, () => WARNING), ERROR]);
  expect(run.results).toHaveLength(25_000);
  expect(run.results![24_999].level).toBe('error');
  expect(run.invocations![0].toolExecutionNotifications![0].message.text).toBe('1 finding more: --format json lists them all');
});

describe('the schema of SARIF', () => {
  test('is met', () => {
    expect(schemaViolations(renderSarif(VERDICT, OPTIONS))).toEqual([]);
    expect(schemaViolations(renderSarif(EMPTY, { ...OPTIONS, isPartial: true }))).toEqual([]);
  });

  test('is one that notices', () => {
    expect(schemaViolations('{"version":"2.1.0","runs":[{"results":[{"level":"info"}]}]}')).toContain(".runs[0]: should have required property 'tool'");
  });
});

test('whatever is in names and messages becomes no link and no control character, the schema is met, and the same verdict gives the same bytes', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string({ unit: 'binary' }), (name, message, file) => {
    const finding = { ...at({ file }), subject: { ...WARNING.subject, name }, message: `${message}\u001b[2J [a](https://evil)` };
    const text = renderSarif({ ...VERDICT, findings: [finding] }, OPTIONS);
    const [{ results }] = (JSON.parse(text) as Log).runs;
    expect(results![0].message.text).not.toMatch(/\]\(|\u001b/);
    expect(schemaViolations(text)).toEqual([]);
    expect(renderSarif({ ...VERDICT, findings: [finding] }, OPTIONS)).toBe(text);
  }), { numRuns: 100 });
});

import { check } from '../../../../src/validation';
import { dependencyProblems } from '../../../../src/validation/manifest/source/roots/charts/dependency-problems';

const file = (path: string, content: object) => ({ path, text: JSON.stringify(content), isFound: true });
const problemsOf = (dependency: object, values: object = {}) => {
  const files = [
    file('app/Chart.yaml', { apiVersion: 'v2', name: 'shop', version: '1.0.0', dependencies: [dependency] }),
    file('app/values.yaml', values),
    file('app/charts/web-app/Chart.yaml', { apiVersion: 'v2', name: 'web', version: '2.1.0' }),
    file('lib/Chart.yaml', { apiVersion: 'v2', name: 'lib', version: '0.3.0' }),
  ];
  return dependencyProblems('app', new Map(files.map((one) => [one.path, one])));
};

describe('Dependencies of a chart', () => {
  test('are reported if the chart of the repository has another version', () => {
    const deploymentProblems = problemsOf({ name: 'web', alias: 'worker', version: '~2.2.0', condition: 'worker.on' });
    const finding = check([{ path: 'all.yaml', text: '', deploymentProblems }]).findings.find(
      ({ rule }) => rule === 'KARP-012',
    );
    expect(finding).toMatchObject({
      rule: 'KARP-012',
      subject: { kind: 'Chart', name: 'shop' },
      message: expect.stringContaining(
        'dependency worker requires version ~2.2.0, but charts/web-app has version 2.1.0',
      ),
      location: { file: 'app/Chart.yaml', path: 'dependencies[0].version' },
    });
    const ofLib = problemsOf({ name: 'lib', version: '^0.2.0', repository: 'file://../lib' });
    expect(ofLib).toMatchObject([{ message: expect.stringMatching(/version 0\.3\.0: helm dependency build fails$/) }]);
  });

  test.each([
    [{ name: 'web', version: '2.x' }],
    [{ name: 'web', version: '${VERSION}' }],
    [{ name: 'web', version: '9.0.0', repository: 'https://charts.example.com' }],
    [{ name: 'web', version: '9.0.0', condition: 'web.enabled' }],
    [{ name: 'lib', version: '>=0.1.0 <1', repository: 'file://../lib' }],
    [{ name: 'other', version: '1.0.0', repository: 'file://../../other' }],
  ])('are passed over: %j', (dependency) => {
    expect(problemsOf(dependency, { web: { enabled: false } })).toEqual([]);
  });

  test('are reported if their folder has no chart', () => {
    const repository = 'file://charts/web';
    expect(problemsOf({ name: 'web', version: '2.1.0', repository })).toMatchObject([
      { severity: 'warning', path: ['dependencies', 0, 'repository'], remedy: 'write file://charts/web-app' },
    ]);
  });
});

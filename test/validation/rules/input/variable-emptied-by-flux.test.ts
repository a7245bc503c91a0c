import { check, rootsOf } from '../../../../src/validation';
import { deployment, nodeClass, nodePool } from '../judge';

const VALUES = '{ substitute: { cluster_name: prod } }';

const KUSTOMIZATION = (postBuild: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: nodes }
spec:
  path: ./nodes
  sourceRef: { kind: GitRepository, name: flux-system }
  postBuild: ${postBuild}`;

/** The findings of a folder that Flux deploys. */
function findingsOf(objects: readonly string[], postBuild: string, wanted = 'KARP-010') {
  const files = { 'nodes/all.yaml': objects.join('\n---\n'), 'clusters/one/nodes.yaml': KUSTOMIZATION(postBuild) };
  const [{ sources }] = rootsOf(Object.entries(files).map(([path, text]) => ({ path, text, isFound: true })));
  return check(sources).findings.filter(({ rule }) => rule === wanted);
}

function classWith(userData: string): string {
  return nodeClass('default', { userData });
}

const SCRIPT =
  '#!/bin/bash\nTOKEN=$(curl -s http://169.254.169.254/latest/api/token)\nfor disk in /dev/sd*; do mkfs ${disk}; done\n';

describe('KARP-010 variable-emptied-by-flux', () => {
  test('reports variables that a script sets itself, with the dollar signs that Flux leaves', () => {
    const [finding, ...others] = findingsOf(
      [classWith(`${SCRIPT}echo \${TOKEN,,} \${cluster_name} $\${HOME}\n`), nodePool('default')],
      VALUES,
    );
    expect(others).toEqual([]);
    expect(finding.message).toContain(
      'Flux replaces ${disk} and ${TOKEN,,} by an empty text, because postBuild of Kustomization nodes has no such variables',
    );
    expect(finding).toMatchObject({
      severity: 'warning',
      location: { file: 'nodes/all.yaml', path: 'spec.userData' },
      remedy: 'write $${disk} and $${TOKEN,,}, which Flux deploys with one dollar sign',
    });
  });

  test.each([
    ['a default, which replaces what the script sets', 'A=$(b)\necho ${A:-c}', 'by a default', 'write $${A:-c}, which'],
    ['a part of a text', 'A=$(b)\necho ${A:2:8}', 'by an empty text', 'write $${A:2:8}, which'],
    ['the length of a text', 'A=$(b)\necho ${#A}', 'by an empty text', 'write $${#A}, which'],
    [
      'arrays, which Flux cannot read',
      'A=(b c)\necho "${A[@]}"',
      'fails with "bad substitution"',
      'write $${A[@]}, which',
    ],
  ])('reports %s', (_, script, message, remedy) => {
    const [finding, ...others] = findingsOf([classWith(`#!/bin/bash\n${script}\n`), nodePool('default')], VALUES);
    expect(others).toEqual([]);
    expect(finding.message).toContain(message);
    expect(finding.remedy).toContain(remedy);
    // A text in which Flux has filled something in differs from that of the file, and has no edit.
    expect(finding.fix === undefined).toBe(message === 'by a default');
  });

  test('reports a variable in the name of a field, without an edit', () => {
    const objects = [nodeClass('default', { tags: { '${clustername}': 'x' } }), nodePool('default')];
    const [finding] = findingsOf(objects, VALUES);
    expect(finding).toMatchObject({ remedy: 'write ${cluster_name}' });
    expect(finding.fix).toBeUndefined();
  });

  test('reports a misspelt variable as an error, because the value is empty, with the nearest name', () => {
    const found = findingsOf(
      [nodeClass('default', { tags: { cluster: '${clustername}' } }), nodePool('default')],
      VALUES,
    );
    expect(found).toMatchObject([
      { severity: 'error', location: { path: 'spec.tags.cluster' }, remedy: 'write ${cluster_name}' },
    ]);
  });

  test('reports only what a script sets itself if the cluster has more values', () => {
    const from = '{ substituteFrom: [{ kind: ConfigMap, name: vars }] }';
    const objects = [classWith(`${SCRIPT}echo \${OTHER}\n`), nodePool('default')];
    expect(findingsOf(objects, from).map(({ evidence }) => evidence.variables)).toEqual([['${disk}']]);
    expect(findingsOf(objects, from.replace('vars', 'vars, optional: true'))).toEqual([]);
  });

  test('reads long names and many variables in time that grows with their number', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `\${V${index}}`).join('');
    const started = process.cpuUsage().user;
    findingsOf([classWith(`#!/bin/bash\n${many}\${${'a'.repeat(15000)}\n`), nodePool('default')], VALUES);
    expect(process.cpuUsage().user - started).toBeLessThan(5e6);
  });

  test('passes defaults, escaped variables, variables without braces and objects that Flux leaves', () => {
    const objects = [classWith('#!/bin/bash\nA=1\necho $A $\${A} \${B:-none}\n'), nodePool('default')];
    expect(findingsOf(objects, VALUES)).toEqual([]);
    const disabled = nodeClass('default', { tags: { a: '${A}' } }).replace(
      '"name": "default"',
      '"name": "default", "labels": {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}',
    );
    expect(findingsOf([disabled, nodePool('default')], VALUES)).toEqual([]);
    expect(findingsOf([classWith(SCRIPT), nodePool('default')], '{}')).toEqual([]);
  });

  test('leaves the format of user data to the text that Flux deploys', () => {
    const line = 'curl -H "token-ttl: 60" http://169.254.169.254/latest/api/token';
    const script = (header: string) => `#!/bin/bash\n${line}\ncurl -H "token: ${header}" http://169.254.169.254\n`;
    const found = (header: string) => findingsOf([classWith(script(header)), nodePool('default')], VALUES, 'KARP-150');
    expect(found('x')).toHaveLength(1);
    expect(found('${TOKEN}')).toEqual([]);
  });

  test('also says so of a class that a root of workloads shares', () => {
    const script = `#!/bin/bash\ncurl -H "a: 1"\ncurl -H "token: \${TOKEN}" http://169.254.169.254\n`;
    const roots = rootsOf([
      { path: 'nodes/all.yaml', text: [classWith(script), nodePool('default')].join('\n---\n'), isFound: true },
      { path: 'nodes/kustomization.yaml', text: 'resources: [all.yaml]', isFound: true },
      { path: 'apps/web.yaml', text: deployment('web'), isFound: true },
      { path: 'apps/kustomization.yaml', text: 'resources: [web.yaml]', isFound: true },
      { path: 'clusters/one/nodes.yaml', text: KUSTOMIZATION(VALUES), isFound: true },
    ]);
    const rules = roots.map(({ sources }) => check(sources).findings.map(({ rule }) => rule));
    expect(rules.length).toBeGreaterThan(1);
    for (const found of rules.filter((some) => some.includes('KARP-010'))) expect(found).not.toContain('KARP-150');
    expect(rules.flat()).not.toContain('KARP-150');
  });
});

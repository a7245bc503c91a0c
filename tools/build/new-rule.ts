/** Writes a new rule, its test, its example and its index entry: `npm run new-rule KARP-NNN rule-name [sub-folder]`. */
import { mkdirSync, readFileSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { chapterFolderOf, chapterOf, Rule, RULES } from '../../src/validation/rules';

const ROOT = join(__dirname, '../..');
const RULES_FOLDER = 'src/validation/rules';
const USAGE = 'write for example: npm run new-rule KARP-322 pod-without-requests';

export interface NewRule {
  readonly id: string;
  /** In kebab-case. */
  readonly name: string;
  /** The folder in src/validation/rules, such as `capacity` or `disruption/pdb`. */
  readonly folder: string;
}

/** @throws Error if the id or the name cannot be that of a new rule */
export function newRule([id = '', name = '', subFolder]: readonly string[], rules: readonly Rule[] = RULES): NewRule {
  if (!/^KARP-\d{3,4}$/.test(id)) throw new Error(`"${id}" is no id of a rule; ${USAGE}`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) throw new Error(`"${name}" is no name in kebab-case; ${USAGE}`);
  const used = rules.find((rule) => rule.id === id || rule.name === name);
  if (used) throw new Error(`${used.id} ${used.name} exists; docs/rules.md lists the ids in use`);
  const folder = chapterFolderOf(id);
  if (folder === undefined) throw new Error(`${id} belongs to no chapter; src/validation/rules/chapters.ts has them`);
  return { id, name, folder: join(folder, subFolder ?? '') };
}

/** The texts of the new files by path, and of the index that lists the rule. */
export function filesOf(rule: NewRule, rules: readonly Rule[] = RULES): ReadonlyMap<string, string> {
  const { id, name, folder } = rule;
  const [chapterFolder] = folder.split('/');
  const index = `${RULES_FOLDER}/${chapterFolder}/index.ts`;
  return new Map([
    [`${RULES_FOLDER}/${folder}/${name}.ts`, ruleText(rule)],
    [`test/validation/rules/${folder}/${name}.test.ts`, testText(rule)],
    [`examples/rules/${id}/bad.yaml`, EXAMPLE],
    [`examples/rules/${id}/good.yaml`, EXAMPLE],
    [`examples/rules/${id}/page.md`, pageText(rule)],
    [index, withEntry(readFileSync(join(ROOT, index), 'utf8'), rule, rules)],
  ]);
}

export function constantOf(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The index with the import and with the rule between its neighbours: the entries are in the order of their ids. */
function withEntry(text: string, { id, name, folder }: NewRule, rules: readonly Rule[]): string {
  const numberOf = (rule: string) => Number(rule.slice('KARP-'.length));
  const before = rules.filter((rule) => chapterOf(rule.id) === chapterOf(id) && numberOf(rule.id) < numberOf(id));
  const path = ['.', ...folder.split('/').slice(1), name].join('/');
  const [, imports, start, entries, end] = /^(.*?)(\n\/\*\*.*?= \[)(.*?),?(\s*\];\n)$/s.exec(text)!;
  const listed = entries
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  listed.splice(before.length, 0, constantOf(name));
  return `import { ${constantOf(name)} } from '${path}';\n${imports}${start}\n  ${listed.join(',\n  ')},${end.replace(/^\s*/, '\n')}`;
}

function ruleText({ id, name, folder }: NewRule): string {
  const up = '../'.repeat(folder.split('/').length);
  return `import { defineRule } from '${up}define-rule';
import { workloads } from '${up}subjects';

/** @see https://karpenter.sh/docs/ */
export const ${constantOf(name)} = defineRule({
  id: '${id}',
  name: '${name}',
  severity: 'warning',
  summary: 'A workload has …, so that ….',
  subjects: workloads({ where: ({ kind }) => kind === 'Deployment' }),
  judge({ object }) {
    const value = object.raw?.spec?.field;
    if (value === undefined) return undefined;
    return {
      path: ['spec', 'field'],
      message: \`has field: \${value}, so that …\`,
      remedy: 'write …',
      evidence: { value },
    };
  },
});
`;
}

function testText({ id, name, folder }: NewRule): string {
  const up = '../'.repeat(folder.split('/').length);
  return `import { ${constantOf(name)} } from '${up}../../../${RULES_FOLDER}/${folder}/${name}';
import { deployment, judge, pdb } from '${up}judge';

const rule = ${constantOf(name)};

describe('${id} ${name}', () => {
  test('reports …', () => {
    const { findings } = judge(rule, [deployment('web')]);
    expect(findings).toMatchObject([{ path: ['spec', 'field'], message: '…', evidence: { value: '…' } }]);
  });

  test('passes …', () => {
    expect(judge(rule, [deployment('web')]).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to …', () => {
    expect(judge(rule, [pdb({ maxUnavailable: 1 })]).outcomes).toEqual([]);
  });
});
`;
}

const EXAMPLE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: main
          image: registry.k8s.io/pause:3.9
          resources:
            requests: { cpu: 500m, memory: 512Mi }
`;

function pageText({ id }: NewRule): string {
  return `# ${id}

## What happens

…

## Why it matters

…

## Upstream

- <https://karpenter.sh/docs/>
`;
}

function write(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
}

if (require.main === module) {
  try {
    write(filesOf(newRule(process.argv.slice(2))));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

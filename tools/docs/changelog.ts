/**
 * Keeps CHANGELOG.md:
 * - `tsx tools/docs/changelog.ts 0.2.0` adds a section with the conventional commits since the last tag;
 * - `--check v0.2.0` fails unless package.json and CHANGELOG.md have this version, as the release workflow requires;
 * - `--notes v0.2.0` prints the section of a version.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const FILE = join(ROOT, 'CHANGELOG.md');
/** Types of commits that users notice, in the order of the sections. */
const SECTIONS: readonly (readonly [string, string])[] = [
  ['feat', 'Features'],
  ['fix', 'Fixes'],
  ['perf', 'Performance'],
];
const SUBJECT = /^(?<type>[a-z]+)(?:\((?<scope>[^)]+)\))?(?<breaking>!)?: (?<text>.+)$/;
const BREAKING_FOOTER = /^BREAKING[ -]CHANGE: (.+)$/m;
const VERSION = /^\d+\.\d+\.\d+$/;

/** The section of a version, made from full commit messages. Other types of commits are left out. */
export function changelogSection(version: string, date: string, messages: readonly string[]): string {
  const commits = messages.flatMap((message) => {
    const groups = SUBJECT.exec(message.split('\n')[0])?.groups;
    return groups
      ? [{ type: groups.type, line: lineOf(groups.scope, groups.text), breaking: breakingLine(message, groups) }]
      : [];
  });
  const parts = [
    ['Breaking changes', commits.flatMap(({ breaking }) => breaking ?? [])] as const,
    ...SECTIONS.map(
      ([type, title]) => [title, commits.filter((commit) => commit.type === type).map(({ line }) => line)] as const,
    ),
  ];
  return (
    [
      `## ${version} (${date})`,
      ...parts.filter(([, lines]) => lines.length > 0).map(([title, lines]) => `### ${title}\n\n${lines.join('\n')}`),
    ].join('\n\n') + '\n'
  );
}

function breakingLine(
  message: string,
  { breaking, scope, text }: Readonly<Record<string, string>>,
): string | undefined {
  const [, footer] = BREAKING_FOOTER.exec(message) ?? [];
  return footer !== undefined || breaking !== undefined ? lineOf(scope, footer ?? text) : undefined;
}

function lineOf(scope: string | undefined, text: string): string {
  return scope === undefined ? `- ${text}` : `- **${scope}**: ${text}`;
}

/** @returns the text of a version, without its heading; undefined if the changelog has no such version */
export function sectionOf(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^(?=## )/m).find((part) => part.startsWith(`## ${version} (`));
  return section?.split('\n').slice(1).join('\n').trim();
}

function versionOf(tag: string | undefined): string {
  const version = tag?.replace(/^v/, '') ?? '';
  if (!VERSION.test(version)) throw new Error(`got version ${JSON.stringify(tag)}; write for example 0.2.0 or v0.2.0`);
  return version;
}

function add(version: string): void {
  const changelog = readFileSync(FILE, 'utf8');
  if (sectionOf(changelog, version) !== undefined) throw new Error(`CHANGELOG.md already has ${version}`);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const last = git('tag', '--list', 'v*', '--sort=-v:refname', '--merged').split('\n')[0];
  if (last === '') throw new Error('no version tag is found; fetch the tags with `git fetch --tags`');
  const messages = git('log', '--no-merges', '--format=%B%x00', `${last}..`)
    .split('\0')
    .map((message) => message.trim());
  const section = changelogSection(version, new Date().toISOString().slice(0, 10), messages);
  writeFileSync(
    FILE,
    changelog.replace(/^(?=## )/m, () => `${section}\n`),
  );
}

function check(version: string): void {
  const inPackage = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
  if (inPackage !== version)
    throw new Error(`the tag is ${version}, but package.json has ${inPackage}; change the version in .projenrc.ts`);
  if (sectionOf(readFileSync(FILE, 'utf8'), version) === undefined)
    throw new Error(`CHANGELOG.md has no section ${version}; run \`npm run changelog -- ${version}\``);
}

function notes(version: string): void {
  console.log(sectionOf(readFileSync(FILE, 'utf8'), version) ?? '');
}

if (require.main === module) {
  try {
    const [first, second] = process.argv.slice(2);
    if (first === '--check') check(versionOf(second));
    else if (first === '--notes') notes(versionOf(second));
    else add(versionOf(first));
  } catch (error) {
    console.error(`changelog: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

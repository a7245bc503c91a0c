import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { bindings, ownBindings } from './bindings';
import { BUILD, newFolder, PROGRAMS, ROOT, run } from './run';

const CLASSES = join(BUILD, 'java');
const LIBRARIES = join(BUILD, 'jars');

/**
 * Compiles the programs and all of our package, and of the others what these use: all of aws-cdk-lib would take
 * minutes.
 */
export async function buildJava(): Promise<void> {
  await run('mvn', [
    '--quiet', '--batch-mode', '--file', join(__dirname, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${LIBRARIES}`,
    `-Djsii=${versionOf('jsii-pacmak')}`, `-Dconstructs=${versionOf('constructs')}`,
  ], BUILD);
  const ours = sourcesIn(join(ownBindings('java'), 'src/main/java'));
  const programs = sourcesIn(join(PROGRAMS, 'java'));
  const files = join(newFolder('javac'), 'files');
  writeFileSync(files, [...ours, ...programs].join('\n'));
  const sourcePath = bindings('java').map((folder) => join(folder, 'src/main/java')).join(delimiter);
  await run('javac', [
    '-J-Xmx4g', '-nowarn', '-Xlint:none', '-proc:none', '-encoding', 'UTF-8', '-implicit:class', '-cp', `${LIBRARIES}/*`, '-sourcepath', sourcePath, '-d', CLASSES, `@${files}`,
  ], BUILD);
}

export function runJava(program: string, cwd: string): Promise<string> {
  const resources = bindings('java').map((folder) => join(folder, 'src/main/resources'));
  return run('java', ['-cp', [CLASSES, `${LIBRARIES}/*`, ...resources].join(delimiter), program[0].toUpperCase() + program.slice(1)], cwd);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.java') && !file.endsWith('package-info.java')).map((file) => join(folder, file));
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version;
}

import { copyFileSync, cpSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { bindings } from './bindings';
import { newFolder, PROGRAMS, ROOT, run } from './run';

/** Kept, because the registry's packages are large. Ours are installed again each time. */
const REPOSITORY = join(ROOT, 'node_modules/.cache/m2');
const MAVEN = ['--quiet', '--batch-mode', '--no-transfer-progress', `-Dmaven.repo.local=${REPOSITORY}`];

let project: string;

/** Installs the artifacts that are made here in a local repository, and compiles a project that depends on ours. */
export async function buildJava(): Promise<void> {
  for (const folder of bindings('java')) {
    await run(
      'mvn',
      [...MAVEN, 'install', '-DskipTests', '-Dmaven.javadoc.skip=true', '-Dmaven.source.skip=true', '-Dgpg.skip=true'],
      folder,
    );
  }
  project = newFolder('maven');
  copyFileSync(join(__dirname, 'pom.xml'), join(project, 'pom.xml'));
  cpSync(join(PROGRAMS, 'java'), join(project, 'src/main/java'), { recursive: true });
  await run(
    'mvn',
    [...MAVEN, 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/dependency'],
    project,
  );
}

export function runJava(program: string, cwd: string): Promise<string> {
  const classPath = [join(project, 'target/classes'), join(project, 'target/dependency/*')].join(delimiter);
  return run('java', ['-cp', classPath, program[0].toUpperCase() + program.slice(1)], cwd);
}

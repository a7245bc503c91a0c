/** What kind of project a folder is, read from the files of its tools. */
import { existsSync } from 'fs';
import { join } from 'path';
import { asRecord } from '../../contract';
import { readRegularText } from '../../model';
import { lazy } from '../lazy';

export interface Project {
  /** The program that writes manifests or templates, if there is one. */
  readonly app?: 'cdk8s' | 'cdk';
  readonly language: 'typescript' | 'python' | 'other';
  /** Where pipelines run. */
  readonly ci: 'github' | 'gitlab';
}

const MOST_BYTES = 1024 * 1024;

export function projectIn(folder: string): Project {
  const ci = existsSync(join(folder, '.gitlab-ci.yml')) ? 'gitlab' : 'github';
  const cdk8s = commandIn(join(folder, 'cdk8s.yaml'));
  if (cdk8s !== undefined) return { app: 'cdk8s', language: languageOf(cdk8s), ci };
  const cdk = commandIn(join(folder, 'cdk.json'));
  return cdk === undefined ? { language: 'other', ci } : { app: 'cdk', language: languageOf(cdk), ci };
}

/** The key `app` of the tool's file, empty if it has none. Undefined without a file. JSON is YAML, too. */
function commandIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const app = asRecord(lazy.yaml.parse(readRegularText(file, MOST_BYTES), { logLevel: 'silent' }))?.app;
    return typeof app === 'string' ? app : '';
  } catch {
    return '';
  }
}

function languageOf(command: string): Project['language'] {
  if (/\bpython3?\b|\.py\b/.test(command)) return 'python';
  return /\.[jt]s\b|\b(?:node|tsx|ts-node)\b/.test(command) ? 'typescript' : 'other';
}

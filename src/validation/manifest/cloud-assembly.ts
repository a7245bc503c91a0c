import { readFileSync, statSync } from 'fs';
import { basename, dirname, join } from 'path';
import { StackFacts } from './model';
import { recordsOf } from './records';
import { LARGEST_FILE_BYTES } from './source-text';
import { asRecord } from '../../contract';

const MANIFEST = 'manifest.json';
const STACK = 'aws:cloudformation:stack';
/** As CDK writes what it is not told: `aws://unknown-account/eu-west-1`. */
const ENVIRONMENT = /^aws:\/\/([^/]+)\/([^/]+)$/;
const UNKNOWN = /^unknown-(?:account|region)$/;

/** What the manifests of cloud assemblies, as CDK writes them beside templates, say of stacks. */
export class CloudAssemblies {
  private readonly folders = new Map<string, ReadonlyMap<string, StackFacts>>();

  /** Of the stack that a template is for; absent where nothing beside it says so. */
  public stackOf(template: string): StackFacts | undefined {
    const folder = dirname(template);
    const stacks = this.folders.get(folder) ?? stacksIn(join(folder, MANIFEST));
    this.folders.set(folder, stacks);
    return stacks.get(basename(template));
  }
}

/** By the files of their templates. */
function stacksIn(manifest: string): Map<string, StackFacts> {
  const artifacts = recordsOf(Object.values(asRecord(asRecord(parsed(manifest))?.artifacts) ?? {}));
  return new Map(artifacts.filter(({ type }) => type === STACK).flatMap(({ environment, properties }) => {
    const file = asRecord(properties)?.templateFile;
    const [, account, region] = ENVIRONMENT.exec(String(environment)) ?? [];
    return typeof file === 'string' ? [[file, { account: known(account), region: known(region) }] as const] : [];
  }));
}

function known(part: string | undefined): string | undefined {
  return part === undefined || UNKNOWN.test(part) ? undefined : part;
}

/** What cannot be read says nothing: templates are judged without it as well. */
function parsed(file: string): unknown {
  try {
    return statSync(file).size <= LARGEST_FILE_BYTES ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

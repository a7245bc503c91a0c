import { basename, dirname, join } from 'path';
import { LARGEST_FILE_BYTES } from './source-text';
import { asRecord } from '../../../contract';
import { leadsInto, readRegularText, repositoryRoot, valueText } from '../../../model';
import { StackFacts } from '../model';
import { recordsOf } from '../records';

const MANIFEST = 'manifest.json';
const STACK = 'aws:cloudformation:stack';
/** For an environment-agnostic stack, CDK writes `aws://unknown-account/eu-west-1`. */
const ENVIRONMENT = /^aws:\/\/([^/]+)\/([^/]+)$/;
const UNKNOWN = /^unknown-(?:account|region)$/;

/** Reads the region and account of stacks from the manifest.json files that CDK writes next to the templates. */
export class CloudAssemblies {
  private readonly folders = new Map<string, ReadonlyMap<string, StackFacts>>();

  /** Undefined if there is no manifest.json, or if it does not name the template. */
  public stackOf(template: string): StackFacts | undefined {
    const folder = dirname(template);
    const stacks = this.folders.get(folder) ?? stacksIn(join(folder, MANIFEST));
    this.folders.set(folder, stacks);
    return stacks.get(basename(template));
  }
}

/** By the file name of the template. */
function stacksIn(manifest: string): Map<string, StackFacts> {
  const artifacts = recordsOf(Object.values(asRecord(asRecord(parsedJson(manifest))?.artifacts) ?? {}));
  return new Map(
    artifacts
      .filter(({ type }) => type === STACK)
      .flatMap(({ environment, properties }) => {
        const file = asRecord(properties)?.templateFile;
        const [, account, region] = ENVIRONMENT.exec(valueText(environment)) ?? [];
        return typeof file === 'string'
          ? [[file, { account: unlessUnknown(account), region: unlessUnknown(region) }] as const]
          : [];
      }),
  );
}

function unlessUnknown(part: string | undefined): string | undefined {
  return part === undefined || UNKNOWN.test(part) ? undefined : part;
}

/** Undefined for a file that cannot be read, or is outside of the repository: templates can be judged without it. */
function parsedJson(file: string): unknown {
  try {
    if (!leadsInto(file, repositoryRoot(dirname(file)))) return undefined;
    return JSON.parse(readRegularText(file, LARGEST_FILE_BYTES));
  } catch {
    return undefined;
  }
}

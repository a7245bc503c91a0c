import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { calledMethods, sdkMethods } from './sdk-methods';
import { compareTemplate } from './template';
import { NEWEST_KARPENTER_VERSION } from '../../src/contract';
import { CALLED_BY_BENCHMARKS, karpenterCalls, UNCALLED_METHODS } from '../../test/support/iam/karpenter-calls';
import { publishedPolicies } from '../../test/support/iam/published-policies';
import { moduleFolder, PROVIDER } from '../go';
import type { PartSummary, RunOptions } from '../options';

const PLACE = {
  partition: 'aws',
  region: 'eu-west-1',
  account: '111122223333',
  clusterName: 'shop',
  nodeRole: '',
  queue: '',
};

/**
 * Compares our IAM policies with Karpenter in the version of go.mod. Every AWS call in its code needs a case in
 * karpenter-calls.ts, and the policies of that release must be recorded. With `--template`, the policies are also
 * compared with upstream's template.
 */
export async function comparePolicies({ template }: RunOptions, print: (line: string) => void): Promise<PartSummary> {
  const folder = moduleFolder(PROVIDER);
  const version = /@v([^/]+)$/.exec(folder)![1];
  const called = calledMethods(
    readGo(join(folder, 'pkg')),
    sdkMethods(readFileSync(join(folder, 'pkg/aws/sdk.go'), 'utf8')),
  );
  const differences = [
    ...compareCalls(version, called),
    ...compareVersions(version),
    ...(template === undefined ? [] : compareTemplate(readFileSync(template, 'utf8'), NEWEST_KARPENTER_VERSION)),
  ];
  print(`Karpenter for AWS ${version} calls ${called.size} AWS methods`);
  differences.forEach(print);
  return { agree: called.size + 1 - Math.min(differences.length, called.size + 1), different: differences.length };
}

/** Calls that are new in upstream's code, and calls that it no longer makes. */
export function compareCalls(version: string, called: ReadonlySet<string>): string[] {
  const testedCalls = new Set(karpenterCalls(PLACE).map(({ api }) => api));
  const unusedMethods = [...UNCALLED_METHODS, ...CALLED_BY_BENCHMARKS];
  return [
    ...[...called]
      .filter((method) => !testedCalls.has(method) && !unusedMethods.includes(method))
      .map((method) => `${method}: Karpenter ${version} calls it; add a case to karpenter-calls.ts`),
    ...[...testedCalls]
      .filter((method) => !called.has(method))
      .map((method) => `${method}: Karpenter ${version} no longer calls it; remove it from karpenter-calls.ts`),
    ...UNCALLED_METHODS.filter((method) => called.has(method)).map(
      (method) => `${method}: Karpenter ${version} calls it now; remove it from UNCALLED_METHODS`,
    ),
  ];
}

function compareVersions(version: string): string[] {
  const minor = version.split('.').slice(0, 2).join('.');
  const recorded = publishedPolicies().slice(-1)[0].release;
  return recorded === minor
    ? []
    : [
        `published-policies.json: its newest release is ${recorded}, but go.mod has ${version}; record upstream's policies for ${minor}`,
      ];
}

/** The text of all Go files below a folder, except tests and fakes. */
function readGo(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && entry.name.endsWith('.go') && !entry.name.endsWith('_test.go') && entry.name !== 'sdk.go',
    )
    .filter(({ parentPath }) => !/\/(?:fake|test)(?:\/|$)/.test(parentPath))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');
}

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CALLED_BY_BENCHMARKS, karpenterCalls, UNCALLED_METHODS } from './karpenter-calls';
import { publishedPolicies } from './published-policies';
import { calledMethods, sdkMethods } from './sdk-methods';
import { compareTemplate } from './template';
import { NEWEST_KARPENTER_VERSION } from '../../src/contract';
import { moduleFolder, PROVIDER } from '../go';
import type { PartSummary, RunOptions } from '../options';

const PLACE = { partition: 'aws', region: 'eu-west-1', account: '111122223333', clusterName: 'shop', nodeRole: '', queue: '' };

/**
 * Holds what we say of IAM against Karpenter in the version of go.mod: every call that its code makes to AWS has a case in the
 * evaluation of the policies, the policies are recorded for that release, and, with `--template`, they are those of upstream's template.
 */
export async function comparePolicies({ template }: RunOptions, print: (line: string) => void): Promise<PartSummary> {
  const folder = moduleFolder(PROVIDER);
  const version = /@v([^/]+)$/.exec(folder)![1];
  const called = calledMethods(readGo(join(folder, 'pkg')), sdkMethods(readFileSync(join(folder, 'pkg/aws/sdk.go'), 'utf8')));
  const differences = [
    ...compareCalls(version, called),
    ...compareVersions(version),
    ...template === undefined ? [] : compareTemplate(readFileSync(template, 'utf8'), NEWEST_KARPENTER_VERSION),
  ];
  print(`Karpenter for AWS ${version} calls ${called.size} methods of AWS`);
  differences.forEach(print);
  return { agree: called.size + 1 - Math.min(differences.length, called.size + 1), different: differences.length };
}

/** A call that is new in upstream's code, and one that is gone. */
export function compareCalls(version: string, called: ReadonlySet<string>): string[] {
  const known = new Set(karpenterCalls(PLACE).map(({ api }) => api));
  const beside = [...UNCALLED_METHODS, ...CALLED_BY_BENCHMARKS];
  return [
    ...[...called].filter((method) => !known.has(method) && !beside.includes(method))
      .map((method) => `${method}: Karpenter ${version} calls it, and no case in karpenter-calls.ts says that the policies allow it`),
    ...[...known].filter((method) => !called.has(method)).map((method) => `${method}: Karpenter ${version} calls it no more; take it out of karpenter-calls.ts`),
    ...UNCALLED_METHODS.filter((method) => called.has(method)).map((method) => `${method}: Karpenter ${version} calls it now; take it out of UNCALLED_METHODS`),
  ];
}

function compareVersions(version: string): string[] {
  const minor = version.split('.').slice(0, 2).join('.');
  const recorded = publishedPolicies().slice(-1)[0].release;
  return recorded === minor ? [] : [`published-policies.json: its newest release is ${recorded}, and go.mod has ${version}; record what upstream publishes for ${minor}`];
}

/** All Go files below a folder but tests and fakes, as one text. */
function readGo(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.go') && !entry.name.endsWith('_test.go') && entry.name !== 'sdk.go')
    .filter(({ parentPath }) => !/\/(?:fake|test)(?:\/|$)/.test(parentPath))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}

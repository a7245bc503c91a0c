/** What `src/assertions` shares with the plugins. jsii requires the underscores. */
import type { IPolicyValidationContext } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { checkOptions } from './check-options';
import { ConstructPaths } from './construct-paths';
import { stackTemplates } from './stack-templates';
import { findingLines } from './synth-report';
import { VerdictOptions } from './verdict-options';
import { CheckOptions, Finding, SourceFile } from '../validation';

/** @internal */
export function _checkOptions(options: VerdictOptions): CheckOptions {
  return checkOptions(options);
}

/** @internal */
export function _stackTemplates(context: Pick<IPolicyValidationContext, 'stackTemplates'>): SourceFile[] {
  return stackTemplates(context);
}

/**
 * Lines with the findings and their remedies.
 *
 * @param root construct whose tree has the objects of the findings, so that their lines begin with construct paths
 * @internal
 */
export function _findingLines(findings: readonly Finding[], root?: IConstruct): string[] {
  return findingLines(findings, root && new ConstructPaths(root));
}

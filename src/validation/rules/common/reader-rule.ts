import { Rule } from '../rule';

/**
 * A rule that the manifest reader checks, before a model exists. It is listed and documented beside the others; its
 * findings are in `ManifestModel.problems`.
 */
export function readerRule(metadata: Omit<Rule, 'check'>): Rule {
  return { ...metadata, check: () => [] };
}

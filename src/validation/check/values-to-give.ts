import { READING_RULES } from '../manifest';
import { SourceFile } from '../vocabulary/source-file';
import { Finding } from '../vocabulary/verdict';

const EMPTY = /must not be empty, got ""|that are not empty|, got nothing\b/;

/**
 * A field without a value in a chart that is rendered with its default values is a note: who installs the chart gives
 * the value.
 */
export function withValueToGive(finding: Finding, sources: readonly SourceFile[]): Finding {
  const { rule, message, location } = finding;
  const isEmpty = rule === READING_RULES.rejected.rule && EMPTY.test(message);
  if (!isEmpty || !sources.some(({ path, hasDefaultValues }) => hasDefaultValues && path === location.file))
    return finding;
  return {
    ...finding,
    severity: 'info',
    message: `${message}; the default values of the chart have none, so each installation has to give it`,
  };
}

import { readFileSync } from 'fs';
import { join } from 'path';
import { Linter } from 'eslint';

/* eslint-disable @typescript-eslint/no-require-imports -- plugins of the linter, which have no types */
const PLUGINS = {
  '@stylistic': require('@stylistic/eslint-plugin'),
  '@typescript-eslint': require('@typescript-eslint/eslint-plugin'),
};
const PARSER = require('@typescript-eslint/parser');
/* eslint-enable */

/** Rules that need types or files. */
const UNSUPPORTED_RULES = /^(?:import\/|@typescript-eslint\/(?:no-floating-promises|return-await)$)/;

const { rules } = JSON.parse(
  readFileSync(join(__dirname, '..', '..', '..', '.eslintrc.json'), 'utf8').replace(/^\/\/.*\n/, ''),
) as { rules: Record<string, any> };
const textRules = Object.fromEntries(Object.entries(rules).filter(([rule]) => !UNSUPPORTED_RULES.test(rule)));

/** Messages of this project's ESLint rules for a program. */
export function lint(text: string): string[] {
  const messages = new Linter({ configType: 'flat' }).verify(
    text,
    [{ files: ['**/*.ts'], languageOptions: { parser: PARSER }, plugins: PLUGINS, rules: textRules }],
    'main.ts',
  );
  return messages.map(({ message, line }) => `${message}: ${text.split('\n')[line - 1]}`);
}

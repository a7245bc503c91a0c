import { changelogSection, sectionOf } from '../../../tools/docs/changelog';

const MESSAGES = [
  'feat(cli): add --watch\n\nIt checks again after each change.',
  'fix: quote names in YAML',
  'perf(solver): reuse encodings',
  'refactor(nodes)!: rename Disruption to NodePoolDisruption',
  'feat(nodes): give pools a priority\n\nBREAKING CHANGE: weight is required',
  'docs: explain drift',
  'Merge the last changes',
];

describe('the section of a version', () => {
  test('lists breaking changes first, then features, fixes and performance, without other commits', () => {
    expect(changelogSection('0.2.0', '2027-01-31', MESSAGES)).toBe(
      [
        '## 0.2.0 (2027-01-31)',
        '### Breaking changes',
        '- **nodes**: rename Disruption to NodePoolDisruption\n- **nodes**: weight is required',
        '### Features',
        '- **cli**: add --watch\n- **nodes**: give pools a priority',
        '### Fixes',
        '- quote names in YAML',
        '### Performance',
        '- **solver**: reuse encodings',
      ].join('\n\n') + '\n',
    );
  });

  test('has no heading for a group without commits', () => {
    expect(changelogSection('0.1.1', '2027-01-31', ['fix: quote names in YAML'])).toBe(
      '## 0.1.1 (2027-01-31)\n\n### Fixes\n\n- quote names in YAML\n',
    );
  });

  test('is found by its version', () => {
    const changelog = `# Changelog\n\n${changelogSection('0.1.1', '2027-01-31', ['fix: a'])}\n${changelogSection('0.1.0', '2027-01-01', ['fix: b'])}`;
    expect(sectionOf(changelog, '0.1.0')).toBe('### Fixes\n\n- b');
    expect(sectionOf(changelog, '0.1')).toBeUndefined();
  });
});

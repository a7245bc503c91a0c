import { appendFileSync, existsSync } from 'fs';
import { join } from 'path';
import { PageLog } from '../../../src/cli/aws/page-log';
import { folderOf } from '../run';

const HEADER = { call: 'zones', region: 'eu-west-1', identity: 'a' };
const NOW = Date.UTC(2026, 10, 20);
const HOUR = 60 * 60 * 1000;

describe('the pages of a call', () => {
  const file = join(folderOf({}), 'zones.partial');
  const open = (now = NOW, changes: Partial<typeof HEADER> = {}) =>
    new PageLog<number>(file, { ...HEADER, ...changes }, now);
  const write = () => {
    const log = open();
    log.restart();
    log.append({ items: [1, 2], nextToken: 'b' });
    return log;
  };

  test('are there again after an interruption', () => {
    write();
    expect(open()).toMatchObject({ items: [1, 2], nextToken: 'b', isComplete: false });
  });

  test('are complete with the page that has no token', () => {
    write().append({ items: [] });
    expect(open()).toMatchObject({ items: [1, 2], isComplete: true });
  });

  test('end before a page that was not written completely', () => {
    write();
    appendFileSync(file, '{"items":[3');
    open().append({ items: [4] });
    expect(open()).toMatchObject({ items: [1, 2, 4], isComplete: true });
  });

  test.each<[string, () => PageLog<number>]>([
    ['after six hours', () => open(NOW + 6 * HOUR)],
    ['for another region', () => open(NOW, { region: 'eu-west-2' })],
    ['for another account', () => open(NOW, { identity: 'b' })],
  ])('are not used %s', (_, reopen) => {
    write();
    expect(reopen()).toMatchObject({ items: [], nextToken: undefined, isComplete: false });
  });

  test('are used until then, counted from the first run', () => {
    write();
    open(NOW + 5 * HOUR);
    expect(open(NOW + 7 * HOUR).items).toEqual([]);
  });

  test('are gone after removal', () => {
    write().remove();
    expect(existsSync(file)).toBe(false);
  });
});

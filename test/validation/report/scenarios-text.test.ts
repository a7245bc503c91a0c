import { ScenarioReport } from '../../../src/disruption';
import { renderScenariosText } from '../../../src/validation';

const SIZE = { nodes: 1, usdPerHour: 0.1 };
const QUIET: ScenarioReport = {
  scenario: 'drift', timeline: [], workloads: [], pending: [], unplaced: [], lost: [], stuck: [], drains: [], before: SIZE, after: SIZE, seconds: 0, unfinished: false,
};

/** Without the title, and what is taken for granted. */
function linesOf(report: Partial<ScenarioReport>): string[] {
  const played = { start: '', reports: [{ ...QUIET, ...report }], assumptions: [], notEvaluated: [], workloads: [] };
  return renderScenariosText(played).trim().split('\n').slice(1).map((line) => line.trim());
}

const stuck = (what: string, why = 'no room') => ({ what, why, remedy: 'make room' });
const pods = (count: number) => Array.from({ length: count }, (_, at) => `shop/web-${at}`);

test('names one that is stuck', () => {
  expect(linesOf({ stuck: [stuck('node a')] })).toEqual(['node a is stuck: no room; make room']);
});

test('says once what is the same for several, of nodes and of pods by themselves', () => {
  expect(linesOf({ stuck: [stuck('node a'), stuck('pod x'), stuck('node b', 'a budget'), stuck('node c')] }))
    .toEqual(['nodes a and c are stuck: no room; make room', 'pod x is stuck: no room; make room', 'node b is stuck: a budget; make room']);
});

test.each<[number, string]>([
  [1, 'pod shop/web-0 has no node in the end'],
  [4, 'pods shop/web-0, shop/web-1, shop/web-2 and shop/web-3 have no node in the end'],
  [5, 'pods shop/web-0, shop/web-1, shop/web-2 and 2 more have no node in the end'],
])('names few of %d pods without a node', (count, line) => {
  expect(linesOf({ pending: pods(count) })).toEqual([line]);
});

test('says why pods have no node, of each reason by itself', () => {
  const unplaced = [{ pods: ['shop/web-0', 'shop/web-1'], why: 'limits' }];
  expect(linesOf({ pending: pods(3), unplaced }))
    .toEqual(['pods shop/web-0 and shop/web-1 have no node in the end: limits', 'pod shop/web-2 has no node in the end']);
});

test('says of pods that are lost that nothing makes them again', () => {
  expect(linesOf({ lost: ['a/x'] })).toEqual(['pod a/x is lost: nothing makes it again']);
  expect(linesOf({ lost: ['a/x', 'a/y'] })).toEqual(['pods a/x and a/y are lost: nothing makes them again']);
});

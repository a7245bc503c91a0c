const untilMilliseconds = (limit: number) => {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < limit * 1000);
};

test('is synchronous and uses more CPU time than its timeout', () => {
  untilMilliseconds(60);
  expect(true).toBe(true);
}, 30);

test('is synchronous and within its timeout', () => {
  untilMilliseconds(5);
  expect(true).toBe(true);
}, 5000);

import { spawn } from 'child_process';
import { endChildGroups } from '../../../src/cli/terminal/supervise';

test('ends programs that lead a group of processes, as after Ctrl-C, and no other', async () => {
  const start = (detached: boolean) => {
    const child = spawn('/bin/sleep', ['30'], { detached, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
    return { child, ended };
  };
  const [leader, other] = [start(true), start(false)];
  await new Promise((resolve) => setTimeout(resolve, 200));
  endChildGroups();
  expect(await leader.ended).toBe('SIGKILL');
  expect(other.child.exitCode ?? other.child.signalCode).toBeNull();
  other.child.kill('SIGTERM');
  expect(await other.ended).toBe('SIGTERM');
});

/* eslint-disable no-bitwise -- permissions of files are bit sets */
import { createHash } from 'crypto';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { CompiledModule } from '../../src/cli/compiled-module';

const digest = (character: string) => `// ${character.repeat(64)}\n`;

describe('a compiled module', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'compiled-module-'));
    file = join(folder, 'bundle.js');
    writeFileSync(join(folder, 'near.js'), 'exports.near = 7;');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (text: string) => writeFileSync(file, text);
  const cacheFiles = () => readdirSync(folder).filter((name) => name.endsWith('.cache'));

  function run(use = 'check'): any {
    const compiled = new CompiledModule(file, use);
    const exported = compiled.load();
    compiled.writeCodeCache();
    return exported;
  }

  test('has its own file name, folder and require', () => {
    write(`${digest('a')}exports.all = [require('./near').near, __filename, __dirname];`);
    expect(run().all).toEqual([7, file, folder]);
  });

  test('is cached once, and reused afterwards', () => {
    write(`${digest('a')}exports.answer = () => 42;`);
    expect(run().answer()).toBe(42);
    const [cacheFile] = cacheFiles();
    const { mtimeMs } = statSync(join(folder, cacheFile));
    expect(run().answer()).toBe(42);
    expect(cacheFiles()).toEqual([cacheFile]);
    expect(statSync(join(folder, cacheFile)).mtimeMs).toBe(mtimeMs);
  });

  test('is cached once for each command', () => {
    write(`${digest('a')}exports.answer = 42;`);
    run('check');
    run('explain');
    expect(cacheFiles()).toEqual([expect.stringMatching(/-check\.cache$/), expect.stringMatching(/-explain\.cache$/)]);
  });

  test('is compiled again after a change that keeps its length', () => {
    write(`${digest('a')}exports.answer = () => 41;`);
    run();
    write(`${digest('b')}exports.answer = () => 42;`);
    expect(run().answer()).toBe(42);
  });

  test.each<[string, (kept: Buffer) => Buffer]>([
    ['cut off', (kept) => kept.subarray(0, -40)],
    ['changed', (kept) => kept.map((byte, at) => (at === 100 ? 255 - byte : byte)) as Buffer],
    ['empty', () => Buffer.alloc(0)],
  ])('is compiled again if the cache is %s', (_, spoil) => {
    write(`${digest('a')}exports.answer = 41;`);
    run();
    const kept = join(folder, cacheFiles()[0]);
    const spoilt = spoil(readFileSync(kept));
    writeFileSync(kept, spoilt);
    // Another text is needed because this process still has the first one compiled. The equal digest stands for an
    // unchanged module.
    write(`${digest('a')}exports.answer = 42;`);
    expect(run().answer).toBe(42);
    expect(readFileSync(kept)).not.toEqual(spoilt);
  });

  test('is compiled again if the cache is of another V8', () => {
    write(`${digest('a')}exports.answer = 41;`);
    run();
    const kept = join(folder, cacheFiles()[0]);
    const foreign = Buffer.from('made by another version');
    writeFileSync(kept, Buffer.concat([createHash('sha256').update(foreign).digest(), foreign]));
    write(`${digest('a')}exports.answer = 42;`);
    expect(run().answer).toBe(42);
    expect(readFileSync(kept).includes(foreign)).toBe(false);
  });

  test('is cached in a file that only its owner can write, whatever the umask allows', () => {
    write(`${digest('a')}exports.answer = 42;`);
    const before = process.umask(0);
    try {
      run();
    } finally {
      process.umask(before);
    }
    expect(statSync(join(folder, cacheFiles()[0])).mode & 0o777).toBe(0o644);
  });

  test.each<[string, (kept: string) => void]>([
    ['its group can write the cache', (kept) => chmodSync(kept, 0o664)],
    ['all users can write the cache', (kept) => chmodSync(kept, 0o646)],
    // Only root can give files away.
    ...(process.getuid?.() === 0
      ? [
          ['another user owns the cache', (kept: string) => chownSync(kept, 1_234, 1_234)] as [
            string,
            (kept: string) => void,
          ],
        ]
      : []),
  ])('is compiled again if %s', (_, spoil) => {
    write(`${digest('a')}exports.answer = 41;`);
    run();
    const kept = join(folder, cacheFiles()[0]);
    spoil(kept);
    write(`${digest('a')}exports.answer = 42;`);
    expect(run().answer).toBe(42);
    const { mode, uid } = statSync(kept);
    expect([mode & 0o777, uid]).toEqual([0o644, process.getuid?.()]);
  });

  test('does not write through a file that another process has put in its place', () => {
    write(`${digest('a')}exports.answer = 42;`);
    run();
    const [name] = cacheFiles();
    rmSync(join(folder, name));
    writeFileSync(join(folder, `${name}.${process.pid}`), 'of another user');
    run();
    expect(cacheFiles()).toEqual([]);
    expect(readFileSync(join(folder, `${name}.${process.pid}`), 'utf8')).toBe('of another user');
  });

  test('is never cached without a digest', () => {
    write('exports.answer = 42;');
    expect(run().answer).toBe(42);
    expect(cacheFiles()).toEqual([]);
  });

  test('works if the cache cannot be written', () => {
    write(`${digest('a')}exports.answer = 42;`);
    const compiled = new CompiledModule(file, 'check');
    rmSync(folder, { recursive: true });
    expect(compiled.load()).toEqual({ answer: 42 });
    expect(() => compiled.writeCodeCache()).not.toThrow();
  });
});

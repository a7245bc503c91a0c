import { createHash } from 'crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'fs';
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
  const keptFiles = () => readdirSync(folder).filter((name) => name.endsWith('.cache'));

  function run(use = 'check'): any {
    const compiled = new CompiledModule(file, use);
    const exported = compiled.load();
    compiled.keep();
    return exported;
  }

  test('has its own file name, folder and requires, as any other', () => {
    write(`${digest('a')}exports.all = [require('./near').near, __filename, __dirname];`);
    expect(run().all).toEqual([7, file, folder]);
  });

  test('is kept once, and is the same from then on', () => {
    write(`${digest('a')}exports.answer = () => 42;`);
    expect(run().answer()).toBe(42);
    const [kept] = keptFiles();
    const { mtimeMs } = statSync(join(folder, kept));
    expect(run().answer()).toBe(42);
    expect(keptFiles()).toEqual([kept]);
    expect(statSync(join(folder, kept)).mtimeMs).toBe(mtimeMs);
  });

  test('is kept once for each use', () => {
    write(`${digest('a')}exports.answer = 42;`);
    run('check');
    run('explain');
    expect(keptFiles()).toEqual([expect.stringMatching(/-check\.cache$/), expect.stringMatching(/-explain\.cache$/)]);
  });

  test('that has changed is compiled anew, also where its length is the same', () => {
    write(`${digest('a')}exports.answer = () => 41;`);
    run();
    write(`${digest('b')}exports.answer = () => 42;`);
    expect(run().answer()).toBe(42);
  });

  test.each<[string, (kept: Buffer) => Buffer]>([
    ['cut off', (kept) => kept.subarray(0, -40)],
    ['changed', (kept) => kept.map((byte, at) => at === 100 ? 255 - byte : byte) as Buffer],
    ['empty', () => Buffer.alloc(0)],
  ])('is compiled anew where what was kept is %s', (_, spoil) => {
    write(`${digest('a')}exports.answer = 41;`);
    run();
    const kept = join(folder, keptFiles()[0]);
    const spoilt = spoil(readFileSync(kept));
    writeFileSync(kept, spoilt);
    // Of another text, as this process still knows the first; that the digest is the same cannot be seen from outside.
    write(`${digest('a')}exports.answer = 42;`);
    expect(run().answer).toBe(42);
    expect(readFileSync(kept)).not.toEqual(spoilt);
  });

  test('is compiled anew where another V8 made what was kept', () => {
    write(`${digest('a')}exports.answer = 41;`);
    run();
    const kept = join(folder, keptFiles()[0]);
    const foreign = Buffer.from('made by another version');
    writeFileSync(kept, Buffer.concat([createHash('sha256').update(foreign).digest(), foreign]));
    write(`${digest('a')}exports.answer = 42;`);
    expect(run().answer).toBe(42);
    expect(readFileSync(kept).includes(foreign)).toBe(false);
  });

  test('without a digest is never kept', () => {
    write('exports.answer = 42;');
    expect(run().answer).toBe(42);
    expect(keptFiles()).toEqual([]);
  });

  test('goes on where nothing can be kept', () => {
    write(`${digest('a')}exports.answer = 42;`);
    const compiled = new CompiledModule(file, 'check');
    rmSync(folder, { recursive: true });
    expect(compiled.load()).toEqual({ answer: 42 });
    expect(() => compiled.keep()).not.toThrow();
  });
});

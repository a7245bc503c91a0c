/**
 * Writes the output of commands into pages whose shown output is not that of the commands any more:
 * `npx tsx tools/docs/guides-doc.ts PAGE…`. The whole output is written; shorten it by hand with `…`.
 */
import { writeFileSync } from 'fs';
import { commandBlocks, readPage, runBlocks } from './page-commands';
import { matchesOutput } from './shown-output';

export async function refresh(path: string): Promise<void> {
  let page = readPage(path);
  const results = await runBlocks(page);
  commandBlocks(page).forEach(({ output }, index) => {
    results[index].wrongCodes.forEach((line) => console.error(`${path}: ${line}`));
    if (output === undefined || (output.trim() !== '' && matchesOutput(output, results[index].out))) return;
    page = page.replace(`\`\`\`text\n${output}\`\`\``, () => `\`\`\`text\n${results[index].out.trimEnd()}\n\`\`\``);
    console.error(`${path}: wrote the output of command block ${index + 1}`);
  });
  writeFileSync(path, page);
}

async function refreshAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await refresh(path);
}

if (require.main === module) void refreshAll(process.argv.slice(2));

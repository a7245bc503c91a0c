/** The worker of the playground: checks manifests with the engine of the command line. */
import { addDataFile, MissingDataFile } from './data-file';
import { judge } from './judge';
import type { CheckAnswer, CheckRequest, WorkerMessage } from '../messages';

/** Set by the script that starts the worker, see `checker.ts`. */
declare const ASSETS: string;
/** The request for the data that every check reads, already on its way. */
declare const BASE: Promise<Response>;

/** jest and tsc know the global object of a page, not that of a worker. */
const scope = globalThis as unknown as {
  onmessage: ((event: { data: CheckRequest }) => void) | null;
  postMessage(message: WorkerMessage): void;
};

async function unzipped(response: Response): Promise<string> {
  if (!response.ok || response.body === null)
    throw new Error(`${response.url} cannot be loaded (status ${response.status})`);
  return new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).text();
}

async function loadBase(): Promise<void> {
  const files = JSON.parse(await unzipped(await BASE)) as Record<string, string>;
  for (const [name, text] of Object.entries(files)) addDataFile(name, text);
}

async function answer(request: CheckRequest): Promise<CheckAnswer> {
  for (;;) {
    try {
      return judge(request);
    } catch (error) {
      if (!(error instanceof MissingDataFile)) throw error;
      addDataFile(error.file, await unzipped(await fetch(`${ASSETS}data/${error.file}.gz`)));
    }
  }
}

scope.onmessage = ({ data }) => {
  answer(data).then(
    (result) => scope.postMessage({ answer: result }),
    (error: Error) => scope.postMessage({ failure: error.message }),
  );
};
loadBase().then(
  () => scope.postMessage({ ready: true }),
  (error: Error) => scope.postMessage({ failure: error.message }),
);

export { takeSnapshot } from './snapshot';
export { watchFiles } from './watch';

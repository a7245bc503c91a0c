export { main } from './main';
export type { Io } from './io';
export { runAsProcess } from './process';

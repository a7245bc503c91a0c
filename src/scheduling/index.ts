export * from './domain';
export { schedule } from './schedule';

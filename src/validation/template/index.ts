export * from './aws-model';
export { clusterNames, forCluster } from './cluster';
export { NESTED_STACK } from './nested';
export { readTemplates } from './read';
export type { Template } from './template';
export { isTemplate, templateDigest, templateName } from './template';
export * from './text-match';
export type { TextPart } from './token';
export { hasToken, hasUnknown, partsOf, readable } from './token';

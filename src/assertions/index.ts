export * from './karpenter-assertions';
export * from './karpenter-assertions-props';
export * from './scenario';

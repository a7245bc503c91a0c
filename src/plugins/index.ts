export * from './assertions';
export * from './karpenter-validation';
export * from './karpenter-validation-props';
export * from './karpenter-verdict';
export * from './karpenter-verdict-props';
export * from './synth-verdict-options';
export * from './verdict-options';

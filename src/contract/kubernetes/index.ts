export { unknownKubernetesFields } from './unknown-fields';
export { wrongKubernetesValues } from './wrong-values';

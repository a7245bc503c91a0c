import { installTools } from './python-tools';

export default installTools;

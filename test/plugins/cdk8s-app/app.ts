import { ApiObject, App, Chart } from 'cdk8s';
import { deployment, NODE_CLASS, nodePool } from '../objects';

/** An app with a Deployment that requests the CPUs in the environment variable CPU. */
const app = new App();
const chart = new Chart(app, 'shop');
for (const object of [NODE_CLASS, nodePool(), deployment(process.env.CPU ?? '1')])
  new ApiObject(chart, object.kind, object);
app.synth();
